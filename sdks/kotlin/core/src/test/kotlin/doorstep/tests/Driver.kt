/** A client that is led by lines of JSON, for tests against running services: `Driver URL PROJECT KEY FOLDER`. */
package doorstep.tests

import doorstep.DeviceFacts
import doorstep.Onboarding
import doorstep.Options
import doorstep.asNumber
import doorstep.asObject
import doorstep.asText
import doorstep.fileStorage
import doorstep.parseObject
import doorstep.writeJson
import java.io.File

public fun main(arguments: Array<String>) {
    val (url, project, key, folder) = arguments
    val facts = DeviceFacts("ios", "2.1", locale = "en")
    val bundled = arguments.getOrNull(4)?.let { File(it).readText() }
    val client = Onboarding(Options(url, project, key, fileStorage(File(folder)), { facts }, bundled))
    for (line in generateSequence(::readlnOrNull)) {
        val action = asObject(parseObject(line))
        val result: Any? = when (action["do"]) {
            "resolve" -> client.resolve().get().let {
                mapOf("flowId" to it.flowId, "source" to it.source, "variant" to it.variant, "origin" to it.origin)
            }
            "configure" -> client.configure().get()
            "track" -> repeat((asNumber(action["count"]) ?: 1.0).toInt()) { client.track(asText(action["type"])) }
            "flush" -> mapOf("isEmpty" to client.flush().get())
            else -> emptyMap<String, Any>()
        }
        println(writeJson(result as? Map<*, *> ?: emptyMap<String, Any>()))
    }
}
