/** docs/sdk-vectors.json, which a client in Python has made, over a fake service. */
package doorstep.tests

import doorstep.DeviceFacts
import doorstep.HttpReply
import doorstep.Json
import doorstep.Onboarding
import doorstep.asNumber
import doorstep.asObject
import doorstep.asObjects
import doorstep.asText
import doorstep.lower
import doorstep.parseObject
import doorstep.writeJson
import java.io.File

private val PATHS = mapOf("resolve" to FakeService.RESOLVE, "config" to FakeService.CONFIG, "events" to FakeService.EVENTS)
private const val KEY = "doorstep.p"

internal fun sequences(docs: File): List<Test> {
    val file = read(File(docs, "sdk-vectors.json"))
    return asObjects(file["sequences"]).map { sequence ->
        Test("sequence: ${sequence["name"]}") { Replay(asText(file["deviceId"])).all(asObjects(sequence["steps"])) }
    }
}

private class Replay(deviceId: String) {
    private val service = FakeService()
    private val clock = FakeClock()
    private val first = mapOf("version" to 1, "kept" to mapOf("deviceId" to deviceId), "events" to emptyList<Any>())
    private val stored = HashMap(mapOf(KEY to writeJson(first)))
    private var device: Json = emptyMap()
    private var client = open(null)

    init {
        PATHS.keys.forEach { given(it, null) }
    }

    fun all(steps: List<Json>) = steps.forEachIndexed { place, step ->
        asObject(step["given"]).forEach { (name, reply) -> given(name, reply) }
        step["do"]?.let {
            val result = act(asObject(it))
            same(step["expect"], result + seen(), "step $place")
        }
    }

    private fun open(bundled: Any?): Onboarding {
        val facts = { DeviceFacts(device["platform"] as String?, locale = device["locale"] as String?, attributes = attributes()) }
        val options = options(service, clock, storageOn(stored), facts, bundled?.let(::writeJson))
        return Onboarding(options) { it.run() }
    }

    @Suppress("UNCHECKED_CAST")
    private fun attributes() = asObject(device["attributes"]).filterValues { it != null } as Map<String, Any>

    private fun given(name: String, reply: Any?) {
        val told = reply?.let(::asObject)
        service.replies[PATHS.getValue(name)] = { sent ->
            when {
                told == null -> null
                told["accepts"] == true -> accepted(sent)
                else -> {
                    val headers = asObject(told["headers"]).entries.associate { lower(it.key) to it.value.toString() }
                    val content = told["text"]?.toString() ?: writeJson(told["body"] ?: emptyMap<String, Any>())
                    HttpReply(asNumber(told["status"])!!.toInt(), headers, content)
                }
            }
        }
    }

    private fun act(action: Json): Json {
        when {
            "resolve" in action -> {
                device = asObject(action["resolve"])
                val found = client.resolve().get()
                return mapOf(
                    "flowId" to found.flowId, "source" to found.source, "variant" to found.variant,
                    "configVersion" to found.configVersion, "origin" to found.origin,
                )
            }
            "configure" in action -> client.configure()
            "track" in action -> repeat((asNumber(action["count"]) ?: 1.0).toInt()) { client.track(asText(action["track"])) }
            "flush" in action -> client.flush()
            "restart" in action -> client = open(action["bundled"])
            else -> clock.pass((asNumber(action["pass"])!! * 1_000).toLong())
        }
        return emptyMap()
    }

    private fun seen(): Json {
        val state = asObject(parseObject(stored.getValue(KEY)))
        val kept = asObject(state["kept"])
        val queue = asObjects(state["events"]).groupingBy { asText(it["eventType"]) }.eachCount()
        val requests = service.sent.map { sent ->
            val shown = when (sent.path) {
                FakeService.EVENTS -> "events" to sent.events.size
                FakeService.CONFIG -> "ifNoneMatch" to sent.request.headers["If-None-Match"]
                else -> "assignmentToken" to sent.body?.get("assignmentToken")
            }
            mapOf("method" to sent.request.method, "path" to sent.path, shown)
        }
        service.sent.clear()
        val token = asText(kept["token"]).ifEmpty { null }
        return mapOf("requests" to requests, "queue" to queue, "token" to token, "keptVersion" to asObject(kept["config"])["configVersion"])
    }
}
