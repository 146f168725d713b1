/** The app's part in a flow: what lets a screen pass, and what keeps it (docs/app-in-flow.md). */
package doorstep.tests

import doorstep.Button
import doorstep.FlowSession
import doorstep.Json
import doorstep.Request
import doorstep.Visit
import doorstep.readFlow
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CompletableFuture.completedFuture

private val NEXT = Button("Go", "next")
private val ALLOW = Button("Allow", "request_permission")

/** A session of a flow with one screen between a first and a last one, at that screen. */
private class Flow(screen: Json, stored: Json = emptyMap(), ask: ((Request) -> CompletableFuture<*>?)?) {
    val asked = ArrayList<Request>()
    val ends = ArrayList<() -> Unit>()
    var stored: Json = emptyMap()
    val session: FlowSession

    init {
        val screens = listOf(mapOf("id" to "first"), screen + ("id" to "s"), mapOf("id" to "last"))
        val handler = ask?.let { { request: Request -> asked.add(request); it(request) } }
        session = FlowSession(
            readFlow(mapOf("id" to "f", "screens" to screens), "App"),
            Visit(
                emptyMap(), "en", false, null, stored, record = { _, _, _ -> }, save = { state -> this.stored = state.orEmpty() },
                finish = {}, ask = handler, after = { _, run -> ends.add(run); {} },
            ),
        )
        if (session.state.screenId == "first") session.press(NEXT)
    }

    fun at(): String? = session.state.screenId
}

private val STEP: Json = mapOf("type" to "welcome", "settings" to mapOf("await_app" to true))
private val PERMISSION: Json = mapOf("type" to "permissions", "content" to mapOf("permission" to "camera"))
private val PAYWALL: Json = mapOf("type" to "paywall", "content" to mapOf("products" to listOf("yearly")))
private val SIGNUP: Json = mapOf("type" to "signup", "content" to mapOf("providers" to listOf("apple")))

private fun required(screen: Json): Json = screen + ("settings" to mapOf("required" to true, "await_default" to "next"))

private class Case(val screen: Json, val button: Button, val reply: Any?, val at: String, val answer: Any? = null)

private val CASES = listOf(
    Case(STEP, NEXT, mapOf("go" to "next"), "last"),
    Case(STEP, NEXT, mapOf("go" to "first"), "first"),
    Case(STEP, NEXT, mapOf("go" to "stay"), "s"),
    Case(STEP, NEXT, mapOf("go" to "nowhere"), "last"),
    Case(STEP, NEXT, null, "last"),
    Case(required(STEP), NEXT, mapOf("go" to "nowhere"), "s"),
    Case(required(STEP), NEXT, null, "s"),
    Case(PERMISSION, ALLOW, "granted", "last", "granted"),
    Case(required(PERMISSION), ALLOW, "denied", "last", "denied"),
    Case(required(PERMISSION), ALLOW, null, "s"),
    Case(PAYWALL, NEXT, "purchased", "last", "yearly"),
    Case(PAYWALL, NEXT, "cancelled", "last", "cancelled"),
    Case(PAYWALL, NEXT, "of course", "last", "failed"),
    Case(required(PAYWALL), NEXT, "cancelled", "s", "cancelled"),
    Case(SIGNUP, NEXT, mapOf("result" to "failed"), "s"),
    Case(required(SIGNUP), NEXT, null, "s"),
    Case(required(SIGNUP), NEXT, "ok", "last"),
)

internal fun appTests(): List<Test> = CASES.mapIndexed { place, case ->
    Test("reply ${case.reply} at screen $place of the app leads to ${case.at}") {
        val flow = Flow(case.screen) { case.reply?.let { reply -> completedFuture(reply) } }
        val forward = flow.session.buttons()!!.first
        flow.session.answer(if (case.screen["type"] == "signup") "apple" else "yearly")
        flow.session.press(if (case.button == NEXT) forward else case.button)
        same(case.at, flow.at())
        same(case.answer, if (case.answer == null) null else flow.session.state.answers["s"])
        same(false, flow.session.state.isBusy)
    }
} + listOf(
    Test("a required screen is passed by no time, no error and no Skip, also after a restart") {
        val failed = CompletableFuture<Any>().apply { completeExceptionally(IllegalStateException()) }
        for (reply in listOf(null, failed, CompletableFuture<Any>())) {
            val flow = Flow(required(STEP)) { reply }
            flow.session.forward()
            flow.ends.forEach { it() }
            flow.session.skip()
            same(listOf<Any?>("s", ""), listOf(flow.at(), flow.session.state.notice))
            same("s", Flow(required(STEP), flow.stored, null).at())
        }
        same("s", Flow(required(STEP), mapOf("path" to listOf("first", "last"), "isStarted" to true), null).at())
    },
    Test("an answer after its time lets the screen pass that still waits, and no other") {
        val late = CompletableFuture<Any>()
        val flow = Flow(required(STEP)) { late }
        flow.session.forward()
        flow.ends.forEach { it() }
        late.complete(mapOf("go" to "next", "set" to mapOf("attributes.vip" to true, "user" to "ada", "no" to emptyMap<String, Any>())))
        same(listOf<Any?>("last", "ada"), listOf(flow.at(), flow.session.state.answers["user"]))
        val left = CompletableFuture<Any>()
        val gone = Flow(PERMISSION) { left }
        gone.session.press(ALLOW)
        gone.session.back()
        left.complete("granted")
        same("first", gone.at())
    },
    Test("a screen that the app draws keeps its answers, and an action is the app's own") {
        val flow = Flow(mapOf("type" to "native", "content" to mapOf("name" to "sign_in")), ask = null)
        flow.session.fail("Wrong password")
        same("Wrong password", flow.session.state.notice)
        flow.session.done(mapOf("user" to "ada"))
        same(listOf<Any?>("last", "ada"), listOf(flow.at(), flow.session.state.answers["user"]))
        val scan = Flow(mapOf("type" to "welcome")) { completedFuture(mapOf("ok" to true)) }
        scan.session.press(Button("Scan", "scan", data = mapOf("side" to "front")))
        same(listOf(Request("action", name = "scan", data = mapOf("side" to "front"))), scan.asked)
        same("last", scan.at())
    },
)
