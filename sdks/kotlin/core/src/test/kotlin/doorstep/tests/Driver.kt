/** A device for the tests of whole stacks: a line of JSON in is a call of the client, a line out its result. */
package doorstep.tests

import doorstep.DeviceFacts
import doorstep.Onboarding
import doorstep.Options
import doorstep.asList
import doorstep.asNumber
import doorstep.asObject
import doorstep.asText
import doorstep.fileStorage
import doorstep.parseJson
import doorstep.parseObject
import doorstep.writeJson
import java.io.File

public fun main(arguments: Array<String>) {
    val given = asObject(parseObject(arguments[0]))
    val (url, project, key, file) = listOf("baseUrl", "projectId", "secretKey", "file").map { asText(given[it]) }
    val facts = DeviceFacts(asText(given["platform"]), asText(given["appVersion"]), locale = asText(given["locale"]))
    val client = Onboarding(Options(url, project, key, fileStorage(File(file).parentFile), { facts }))
    for (line in generateSequence(::readlnOrNull)) {
        val (name, value) = asList(parseJson(line)) + listOf(null)
        val result: Any? = when (name) {
            "resolve" -> client.resolve().get().let {
                mapOf("flowId" to it.flowId, "source" to it.source, "variant" to it.variant, "origin" to it.origin)
            }
            "configure" -> client.configure().get().let { null }
            "track" -> asList(value).let { (type, count) ->
                repeat(asNumber(count)?.toInt() ?: 1) { client.track(asText(type)) }
            }.let { null }
            "flush" -> client.flush().get()
            else -> null
        }
        println(writeJson(result))
    }
}
