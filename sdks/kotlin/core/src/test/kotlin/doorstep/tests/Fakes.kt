package doorstep.tests

import doorstep.Clock
import doorstep.DeviceFacts
import doorstep.HttpReply
import doorstep.HttpRequest
import doorstep.Json
import doorstep.Options
import doorstep.Storage
import doorstep.asObjects
import doorstep.parseObject
import doorstep.writeJson

/** A clock that is turned by hand. */
internal class FakeClock : Clock {
    private class Timer(val at: Long, val run: () -> Unit)

    private var time = 1_795_824_000_000L
    private var timers = listOf<Timer>()

    override fun now() = time

    override fun after(milliseconds: Long, run: () -> Unit): () -> Unit {
        val timer = Timer(time + milliseconds, run)
        timers = timers + timer
        return { timers = timers - timer }
    }

    /** Let time pass, with the callbacks of that time in their order. */
    fun pass(milliseconds: Long) {
        val end = time + milliseconds
        while (true) {
            val next = timers.filter { it.at <= end }.minByOrNull { it.at } ?: break
            timers = timers - next
            time = maxOf(time, next.at)
            next.run()
        }
        time = end
    }
}

/** A service with a reply for each path; null is no reply at all. */
internal class FakeService {
    class Sent(val request: HttpRequest) {
        val path = request.url.removePrefix(BASE_URL)
        val body: Json? = request.body?.let(::parseObject)
        val events = asObjects(body?.get("events"))
    }

    val sent = ArrayList<Sent>()

    /** What each request gets. A request without an entry never gets a reply. */
    val replies = HashMap<String, (Sent) -> HttpReply?>()

    fun send(request: HttpRequest, done: (HttpReply?) -> Unit) {
        val sent = Sent(request).also(sent::add)
        replies[sent.path.substringBefore("?")]?.let { done(it(sent)) }
    }

    companion object {
        const val BASE_URL = "https://edge.example.com"
        const val RESOLVE = "/api/onboarding/resolve"
        const val CONFIG = "/api/config"
        const val EVENTS = "/api/analytics/events"
    }
}

internal fun reply(status: Int, body: Any?) = HttpReply(status, emptyMap(), writeJson(body))

/** Return the service's reply to a batch: each event is accepted. */
internal fun accepted(sent: FakeService.Sent): HttpReply {
    val results = sent.events.map { mapOf("eventId" to it["eventId"], "status" to "accepted") }
    return reply(200, mapOf("success" to true, "accepted" to results.size, "rejected" to 0, "results" to results))
}

internal fun resolved(flowId: String, screens: List<Json>, source: String = "default"): HttpReply {
    val flow = mapOf("id" to flowId, "name" to flowId, "theme" to null, "screens" to screens)
    val assignment = mapOf("source" to source, "experimentId" to null, "variant" to null, "token" to null)
    return reply(200, mapOf("flowId" to flowId, "flow" to flow, "assignment" to assignment, "configVersion" to 1))
}

internal fun storageOn(values: MutableMap<String, String>) = object : Storage {
    override fun get(key: String) = values[key]

    override fun set(key: String, value: String) {
        values[key] = value
    }

    override fun remove(key: String) {
        values.remove(key)
    }
}

internal fun options(
    service: FakeService,
    clock: FakeClock,
    storage: Storage,
    device: () -> DeviceFacts = { DeviceFacts() },
    bundled: String? = null,
) = Options(
    FakeService.BASE_URL + "/", "p", "s", storage, device, bundled,
    clock = clock, transport = { request, _, done -> service.send(request, done) }, random = { 0.5 },
)
