/** What an app does with the client: sessions and their events, links, identities and a reset. */
package doorstep.tests

import doorstep.DeviceFacts
import doorstep.FlowState
import doorstep.Onboarding
import doorstep.Resolution
import doorstep.asObject
import doorstep.awaitResolve
import java.util.concurrent.CompletableFuture
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.startCoroutine

private val OPTIONS = listOf("lose", "gain").map { mapOf("value" to it, "label" to "{{app_name}} $it") }
private val SCREENS = listOf(
    mapOf("id" to "hello", "type" to "welcome", "content" to mapOf("title" to "Hello {{attributes.name|you}}")),
    mapOf("id" to "goal", "type" to "question_single_choice", "content" to mapOf("question" to "Goal?", "options" to OPTIONS)),
    mapOf("id" to "last", "type" to "permissions", "content" to mapOf("title" to "{{answers.goal:upper}}", "permission" to "camera")),
)

private class App(storage: MutableMap<String, String> = HashMap()) {
    val service = FakeService()
    val clock = FakeClock()
    val client: Onboarding

    init {
        service.replies[FakeService.RESOLVE] = { resolved("flow_1", SCREENS) }
        service.replies[FakeService.EVENTS] = ::accepted
        client = Onboarding(options(service, clock, storageOn(storage), { DeviceFacts("android", "2.1") })) { it.run() }
    }

    fun resolution(): Resolution = client.resolve().get()

    fun events() = service.sent.flatMap { it.events }
}

internal fun clientTests(): List<Test> = listOf(
    Test("a session reports its events with the ids of the flow, and its end") {
        val app = App()
        app.client.setAttributes(mapOf("name" to "Ada"))
        val wait = CompletableFuture<Unit>()
        val session = app.client.start(app.resolution()) { request -> wait.takeIf { request.permission == "camera" } }
        val states = ArrayList<FlowState>()
        session.subscribe { states.add(it) }
        same("Hello Ada", session.text("title"))
        session.forward()
        same("choose", session.forward()?.code)
        same(null, session.answer("gain"))
        session.forward()
        same("GAIN", session.text("title"))
        session.forward()
        same(true, session.state.isBusy)
        wait.complete(Unit)
        same("completed", session.result.get().outcome)
        same(mapOf("goal" to "gain"), session.result.get().answers.filterKeys { it == "goal" })
        same(null, states.last().screenId)
        same("completed", app.client.outcomeOf("flow_1"))
        val events = app.events()
        val types = events.map { it["eventType"] }
        same(listOf("flow_started", "screen_viewed", "screen_completed", "screen_viewed", "question_answered"), types.take(5))
        same(listOf("permission_requested", "screen_completed", "flow_completed"), types.takeLast(3))
        same(setOf("flow_1"), events.map { it["flowId"] }.toSet())
        same(1, events.map { it["sessionId"] }.toSet().size)
        same(listOf("android", "2.1"), listOf(events[0]["platform"], events[0]["appVersion"]))
    },
    Test("a visit goes on after a restart, and starts once") {
        val stored = HashMap<String, String>()
        val app = App(stored)
        app.client.start(app.resolution()).forward()
        app.client.flush()
        val again = App(stored)
        val session = again.client.start(again.resolution())
        same(listOf("hello", "goal"), session.state.path)
        session.back()
        session.end()
        same(1, (app.events() + again.events()).count { it["eventType"] == "flow_started" })
        same(1, (app.events() + again.events()).map { it["sessionId"] }.toSet().size)
        same("skipped", again.client.outcomeOf("flow_1"))
    },
    Test("a reset makes another device without attributes and events") {
        val app = App()
        app.service.replies.remove(FakeService.EVENTS)
        app.client.identify("ada")
        app.client.track("before")
        app.resolution()
        val before = app.service.sent.last { it.path == FakeService.RESOLVE }.body.orEmpty()
        same("ada", asObject(before["attributes"])["user_id"])
        app.client.reset()
        app.resolution()
        val after = app.service.sent.last { it.path == FakeService.RESOLVE }.body.orEmpty()
        same(false, before["deviceId"] == after["deviceId"])
        same(null, after["attributes"])
        same(emptyList<Any>(), app.events())
    },
    Test("preview links of this service are taken, others are not") {
        val app = App()
        same(false, app.client.handleLink("https://other.example.com/s/abc/onboarding/flow_1/1"))
        same(false, app.client.handleLink("https://edge.example.com/onboarding/flow_1/1"))
        same(true, app.client.handleLink("https://edge.example.com/s/abc/onboarding/flow_1/1?bridge=2"))
        same("https://edge.example.com/s/abc/onboarding/flow_1/1?bridge=2", app.client.link)
    },
    Test("events that the service would refuse are not recorded") {
        val app = App()
        app.client.track("Not a type")
        app.client.track("large", mapOf("text" to "x".repeat(20_000)))
        app.client.track("fine", mapOf("n" to 1.5))
        app.client.flush()
        same(listOf("fine"), app.events().map { it["eventType"] })
    },
    Test("the page of a flow has the context of the device") {
        val app = App()
        app.service.replies["/api/global-config"] = { reply(200, mapOf("backendDomain" to "https://edge.example.com/s/t")) }
        val page = app.client.page("flow_1").get().orEmpty()
        same(true, page.startsWith("https://edge.example.com/s/t/onboarding/flow_1/1?deviceId="))
        same(true, page.contains("&platform=android&appVersion=2.1&") && page.endsWith("&bridge=2"))
    },
    Test("a coroutine waits for the flow") {
        val found = CompletableFuture<Resolution>()
        val client = App().client
        suspend { client.awaitResolve() }.startCoroutine(Continuation(EmptyCoroutineContext) { found.complete(it.getOrThrow()) })
        same("flow_1", found.get().flowId)
    },
)
