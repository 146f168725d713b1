package doorstep

import java.util.concurrent.CompletableFuture
import java.util.concurrent.CopyOnWriteArrayList

/** What a session needs of the client. */
internal class Visit(
    val context: Json,
    val language: String,
    val recordAnswers: Boolean,
    val variant: String?,
    val stored: Json,
    val record: (eventType: String, screenId: String?, properties: Json?) -> Unit,
    val save: (Json?) -> Unit,
    val finish: (outcome: String) -> Unit,
    /** Null if the app does nothing at all: a purchase is what the user has chosen then. */
    val ask: ((Request) -> CompletableFuture<*>?)?,
    val after: (milliseconds: Long, run: () -> Unit) -> () -> Unit,
)

/**
 * A visit of a flow that the app draws itself, with its events. The position is the id of a screen, because a newer version
 * of the flow may have another order. It can be used from any thread.
 */
public class FlowSession internal constructor(private val flow: FlowDocument, private val visit: Visit) {
    /** Completed when the flow is over. */
    public val result: CompletableFuture<FlowResult> = CompletableFuture()
    private val listeners = CopyOnWriteArrayList<(FlowState) -> Unit>()
    private var path: List<String> = emptyList()
    private var answers: Map<String, Given> = emptyMap()
    private var choices: Map<String, String> = emptyMap()
    private var set: Map<String, Json> = emptyMap()
    private var notice: String? = null
    private var progress = 0.0
    private var isStarted = false
    private var isBusy = false
    private var isOver = false
    private var outcome: String? = null

    /** The number of changes of the screen, so that the end of a wait finds out whether the user has moved on. */
    private var turn = 0

    /** The number of requests, because the end of an older one may come late. */
    private var attempt = 0

    /** What was given on the present screen, which is no question. */
    private var given: Given? = null

    init {
        restore()
        start()
    }

    public val state: FlowState
        @Synchronized get() {
            val values = values()
            val screen = if (isOver) null else screen()
            return FlowState(
                screen?.id, screen?.type, screen?.let { filledContent(it) }, group(values, "answers."),
                group(values, "variables."), path, progress, path.size > 1 && !isOver, isBusy, notice, isOver, outcome,
            )
        }

    /** Call back after each change. Call the result to end it. */
    public fun subscribe(listener: (FlowState) -> Unit): () -> Unit {
        listeners.add(listener)
        return { listeners.remove(listener) }
    }

    /** Return the buttons of the present screen; a screen has no secondary button as a rule. */
    @Synchronized
    public fun buttons(): Pair<Button, Button?>? = if (isOver) null else screen()?.let { buttonsOf(filledScreen(it)) }

    /**
     * Give the answer to the present screen: a value, a list of values, or null to take it back. Sign-ups take the method,
     * paywalls the id of a product. Return the problem of the answer, null if it is valid.
     */
    @Synchronized
    public fun answer(value: Any?): Problem? {
        val screen = screen()
        if (screen == null || isOver) return null
        given = value?.let { givenOf(screen, it) }
        return if (screen.isQuestion) keepAnswer(screen, given) else null
    }

    /** Press a button of the present screen. Return the problem that keeps the screen, null if there is none. */
    @Synchronized
    public fun press(button: Button): Problem? {
        val screen = screen()
        if (screen == null || isBusy || isOver) return null
        val isPrimary = button == buttonsOf(filledScreen(screen)).first
        if (button.action == "sign_in" && screen.isRequired) {
            run(screen, listOf(Request("signup", method = "sign_in"))) { end("flow_skipped", screen.id) }
            return null
        }
        if (button.action == "sign_in") ask(screen, Request("signup", method = "sign_in"))
        if (button.action in LEAVING) {
            val isEnd = button.action == "close" && step().screenId == null
            if (isEnd) run(screen, stepsOf(screen, emptyList())) else end("flow_skipped", screen.id)
            return null
        }
        val kept = given ?: answers[screen.id]
        val problem = if (isPrimary && screen.isQuestion) keepAnswer(screen, kept) else null
        if (problem == null) {
            val requests = requestsOf(screen, button.action, if (isPrimary) given else null) + listOfNotNull(actionOf(button))
            run(screen, requests + stepsOf(screen, requests))
        }
        return problem
    }

    /** Go on, as the primary button does. Return the problem that keeps the screen, null if there is none. */
    @Synchronized
    public fun forward(): Problem? = buttons()?.let { press(it.first) }

    /** Go to the screen before the present one. */
    @Synchronized
    public fun back() {
        if (!isOver && path.size > 1) move(path.dropLast(1), path.last())
    }

    /** Pass over the present screen without its answer. */
    @Synchronized
    public fun skip() {
        val screen = screen()
        if (screen == null || isBusy || isOver) return
        if (screen.isRequired) {
            stay("")
            return
        }
        if (screen.type == "paywall" && screen.content["close_button"] == true) report("paywall_dismissed")
        answers = answers - screen.id
        choices = choices - screen.id
        advance()
    }

    /** Complete a screen of type `native`. The values become answers, or attributes by their full names. */
    @Synchronized
    public fun done(values: Map<String, Any?> = emptyMap()) {
        val screen = screen()
        if (screen?.type != "native" || isBusy || isOver) return
        keep(screen, values)
        run(screen, stepsOf(screen, emptyList()))
    }

    /** Keep the present screen, and show why. */
    @Synchronized
    public fun fail(message: String): Unit = stay(message)

    /** Leave the flow. */
    @Synchronized
    public fun end() {
        if (!isOver) end("flow_skipped", screen()?.id)
    }

    /** Return a text of the present screen, such as `title`, `subtitle` or `options.0.label`; empty without it. */
    @Synchronized
    public fun text(path: String): String {
        val content = screen()?.takeUnless { isOver }?.let { filledContent(it) } ?: return ""
        val known = if (path == "title") headingOf(content) else if (path == "subtitle") subtitleOf(content) else ""
        return known.ifEmpty {
            asText(
                path.split(".").fold<String, Any?>(content) { value, name ->
                    if (value is List<*>) name.toIntOrNull()?.let(value::getOrNull) else asObject(value)[name]
                },
            )
        }
    }

    private fun start() {
        if (!isStarted) {
            isStarted = true
            visit.record("flow_started", null, null)
        }
        if (path.isEmpty()) end("flow_completed", null) else reportView(null)
        changed()
    }

    private fun keepAnswer(screen: Screen, given: Given?): Problem? {
        problemOf(screen, given)?.let { return it }
        answers = if (given == null) answers - screen.id else answers + (screen.id to given)
        if (given != null) {
            for ((key, value) in valuesOfAnswer(screen, given)) {
                val recorded = if (visit.recordAnswers) mapOf("answer" to value) else emptyMap()
                report("question_answered", mapOf("answer_key" to key, "question_type" to screen.type) + recorded)
            }
        }
        changed()
        return null
    }

    private fun ask(screen: Screen, request: Request): CompletableFuture<*>? {
        val choice = when (request.type) {
            "permission" -> "asked"
            "purchase" -> request.productId.takeIf { visit.ask == null }
            "signup" -> request.method
            else -> null
        }
        if (choice != null && flow.hasLogic) choices = choices + (screen.id to choice)
        when (request.type) {
            "permission" -> report("permission_requested", mapOf("permission" to request.permission))
            "purchase" -> report("paywall_purchase_chosen", mapOf("product_id" to request.productId))
            "signup" -> report("signup_chosen", mapOf("method" to request.method))
        }
        return runCatching { visit.ask?.invoke(request) }.getOrNull()
    }

    /** Ask one request after the other, and go on. Without functions of the app all of it is done at once. */
    private fun run(screen: Screen, requests: List<Request>, goOn: () -> Unit = { complete() }) {
        val request = requests.firstOrNull() ?: return goOn()
        val asked = turn
        val number = ++attempt
        val settle = { reply: Json? ->
            synchronized(this) {
                val verdict = verdictOf(flow, screen, request, reply, visit.ask != null)
                if (verdict.choice != null && screen.id in path) choices = choices + (screen.id to verdict.choice)
                if (asked == turn && number == attempt && !isOver) {
                    keep(screen, asObject(reply?.get("set")))
                    when (verdict.go) {
                        "stay" -> stay(verdict.notice)
                        "next" -> run(screen, requests.drop(1), goOn)
                        else -> jump(verdict.go)
                    }
                }
            }
        }
        val future = ask(screen, if (request.type == "step") stepRequest(screen) else request)
        if (future == null) {
            settle(null)
            return
        }
        isBusy = true
        notice = null
        changed()
        val stop = visit.after((secondsOf(screen, request) * 1_000).toLong()) { settle(null) }
        future.whenComplete { value, error ->
            stop()
            settle(if (error == null) replyOf(value) else null)
        }
    }

    private fun stepRequest(screen: Screen) =
        Request("step", screenId = screen.id, answers = group(values(), "answers."), next = step().screenId)

    /** Keep values of the app as those of a screen. */
    private fun keep(screen: Screen, values: Json) {
        val named = valuesSet(values)
        if (named.isNotEmpty()) set = set + (screen.id to set[screen.id].orEmpty() + named)
    }

    private fun stay(why: String?) {
        if (isOver) return
        isBusy = false
        notice = why
        changed()
    }

    /** Go where the app says: to a later screen, to one that was shown before, or to the end. */
    private fun jump(target: String) {
        val isLater = target == "end" || flow.placeOf(target) > flow.placeOf(path.lastOrNull())
        if (isLater) {
            report("screen_completed")
            if (target == "end") end("flow_completed", null) else move(path + target, null)
        } else if (target in path && target != path.last()) {
            move(path.subList(0, path.indexOf(target) + 1).toList(), path.last())
        } else {
            stay(null)
        }
    }

    private fun complete() {
        report("screen_completed")
        advance()
    }

    private fun advance() {
        val target = step().screenId
        if (target == null) end("flow_completed", null) else move(path + target, null)
    }

    private fun move(to: List<String>, left: String?) {
        turn += 1
        path = to
        given = null
        isBusy = false
        notice = null
        progress = maxOf(if (left == null) progress else 0.0, progressOf(flow, way(), visit.context))
        reportView(left)
        changed()
    }

    /** Report the present screen. `left` is the screen that Back has left. */
    private fun reportView(left: String?) {
        val before = path.dropLast(1)
        val step = nextStep(flow, Way(before, answers, choices, set), visit.context)
        val members = linkedMapOf(
            "from_screen_id" to (left ?: before.lastOrNull()),
            "rule" to if (left == null && step.screenId == path.lastOrNull()) step.rule else null,
            "step" to path.size,
        )
        if (left != null) members["is_back"] = true
        report("screen_viewed", members)
    }

    private fun end(eventType: String, screenId: String?) {
        visit.record(eventType, screenId, null)
        outcome = if (eventType == "flow_completed") "completed" else "skipped"
        isOver = true
        isBusy = false
        notice = null
        changed()
        visit.finish(outcome.orEmpty())
        val (ended, values) = outcome.orEmpty() to values()
        result.complete(FlowResult(ended, group(values, "answers."), group(values, "variables."), flow.id, visit.variant))
    }

    private fun report(eventType: String, properties: Json? = null) = visit.record(eventType, path.lastOrNull(), properties)

    private fun changed() {
        visit.save(if (isOver) null else stored())
        if (listeners.isNotEmpty()) state.let { now -> listeners.forEach { runCatching { it(now) } } }
    }

    private fun screen(): Screen? = flow.screens.getOrNull(flow.placeOf(path.lastOrNull()))

    private fun way() = Way(path, answers, choices, set)

    private fun step() = nextStep(flow, way(), visit.context)

    private fun values() = valuesOf(flow, way(), visit.context)

    private fun filledContent(screen: Screen) = filled(screen.content, Shown(values(), questionsOf(flow, way()), visit.language))

    private fun filledScreen(screen: Screen) =
        Screen(screen.id, screen.type, filledContent(screen), screen.settings, screen.showIf, screen.next)

    private fun stored(): Json = mapOf(
        "path" to path, "choices" to choices, "set" to set, "progress" to progress, "isStarted" to isStarted,
        "answers" to answers.map { (screenId, given) ->
            mapOf("screenId" to screenId, "answer" to given.values, "unit" to given.unit, "isList" to given.isList)
        },
    )

    /** Take over a visit of this or another version of the flow: its last screen that this one has, else the first. */
    private fun restore() {
        val stored = visit.stored
        choices = asObject(stored["choices"]).mapValues { asText(it.value) }
        answers = asObjects(stored["answers"]).associate { answer ->
            val values = asList(answer["answer"]).map { it.toString() }
            asText(answer["screenId"]) to Given(values, asText(answer["unit"]).ifEmpty { null }, answer["isList"] == true)
        }
        isStarted = stored["isStarted"] == true
        val known = asList(stored["path"]).map { asText(it) }.filter { flow.placeOf(it) >= 0 }
        path = known.ifEmpty { listOfNotNull(step().screenId) }
        set = asObject(stored["set"]).mapValues { asObject(it.value) }
        missedRequired(flow, way(), visit.context)?.let { missed ->
            path = path.filter { flow.placeOf(it) < flow.placeOf(missed.id) } + missed.id
        }
        progress = asNumber(stored["progress"]) ?: progressOf(flow, way(), visit.context)
    }

    private companion object {
        /** Actions that leave the flow, whatever is given on the screen. */
        val LEAVING = setOf("skip", "close", "sign_in")

        fun group(values: Json, prefix: String): Json =
            values.filterKeys { it.startsWith(prefix) }.mapKeys { it.key.removePrefix(prefix) }

        /** Return what the app has to do before a screen is complete. */
        fun requestsOf(screen: Screen, action: String, given: Given?): List<Request> = listOfNotNull(
            given?.values?.firstOrNull()?.takeIf { screen.type == "signup" }?.let { Request("signup", method = it) },
            given?.values?.firstOrNull()?.takeIf { screen.type == "paywall" }?.let { Request("purchase", productId = it) },
            when (action) {
                "request_permission" -> Request("permission", permission = asText(screen.content["permission"]))
                "rate" -> Request("rating")
                "restore", "restore_purchases" -> Request("restore")
                else -> null
            },
        )
    }
}
