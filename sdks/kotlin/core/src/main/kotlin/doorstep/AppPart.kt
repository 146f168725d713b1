/** The app's part in a flow: what its replies mean, and which screens only a good reply lets pass (docs/app-in-flow.md). */
package doorstep

private const val STANDARD_STEP_SECONDS = 3.0
private const val MAX_STEP_SECONDS = 15.0

/** The time of dialogs, in which people read and type. */
private const val DIALOG_SECONDS = 60.0
private const val MAX_TEXT = 1_000
private const val MAX_SET = 50

/** The results of a sign-up, of a sign-in and of a restore that have succeeded. */
private val SUCCESSES = setOf("ok", "done", "signed_in", "signed_up", "restored", "purchased")
private val BUILT_IN = setOf(
    "next", "submit", "skip", "request_permission", "rate", "open_url", "close", "sign_in", "purchase", "restore", "restore_purchases",
)

/**
 * How a request ended: `next`, `stay`, `end`, or the id of a screen. `choice` is the answer of its screen, `notice` why the
 * screen stays: null where the app has said it by itself.
 */
internal class Verdict(val go: String, val notice: String? = "", val choice: String? = null)

internal val Screen.isRequired: Boolean get() = settings["required"] == true

/** Return the requests to let a screen pass. One that is required, and asks for nothing else, is a step of the app. */
internal fun stepsOf(screen: Screen, requests: List<Request>): List<Request> {
    val hasOutcome = screen.type == "native" || requests.any { it.type != "rating" }
    val isStep = screen.settings["await_app"] == true || (screen.isRequired && !hasOutcome)
    return if (isStep) listOf(Request("step")) else emptyList()
}

/** Return the request of an action of the app's own, null for those of all flows. */
internal fun actionOf(button: Button): Request? =
    if (button.action in BUILT_IN) null else Request("action", name = button.action, data = button.data)

internal fun secondsOf(screen: Screen, request: Request): Double =
    if (request.type == "step" || request.type == "action") {
        (asNumber(screen.settings["await_seconds"]) ?: STANDARD_STEP_SECONDS).coerceIn(0.0, MAX_STEP_SECONDS)
    } else {
        DIALOG_SECONDS
    }

/** Return the reply of a function of the app as an object. A text is a result. */
internal fun replyOf(value: Any?): Json = if (value is String) mapOf("result" to value) else asObject(value)

/**
 * Return what a reply means; null is none in time, an error, or no function. A required screen needs a good one. Without
 * `hasOutcomes` a purchase is what the user has chosen.
 */
internal fun verdictOf(flow: FlowDocument, screen: Screen, request: Request, reply: Json?, hasOutcomes: Boolean): Verdict {
    val otherwise = if (screen.isRequired) "stay" else "next"
    val result = asText(reply?.get("result"))
    val notice = asText(reply?.get("message"))
    val stay = Verdict("stay", notice.ifEmpty { null })
    return when (request.type) {
        "step" -> {
            val go = asText(reply?.get("go"))
            val waits = screen.settings["await_default"] == "stay"
            when {
                go == "next" || go == "end" || flow.placeOf(go) >= 0 -> Verdict(go)
                go == "stay" -> stay
                else -> Verdict(if (waits) "stay" else otherwise, notice)
            }
        }
        "action" -> if (reply?.get("ok") == false) stay else Verdict(if (reply?.get("ok") == true) "next" else otherwise, notice)
        "permission" -> if (result in setOf("granted", "denied")) Verdict("next", choice = result) else Verdict(otherwise)
        "purchase" -> when {
            result == "purchased" -> Verdict("next", choice = request.productId)
            hasOutcomes -> Verdict(otherwise, notice, if (result == "cancelled") result else "failed")
            else -> Verdict(otherwise)
        }
        "signup" -> {
            val isRefused = notice.isNotEmpty() || result == "cancelled" || result == "failed"
            if (result in SUCCESSES) Verdict("next") else if (isRefused) stay else Verdict(otherwise)
        }
        "restore" -> if (result in SUCCESSES) Verdict("next") else if (hasOutcomes) stay else Verdict(otherwise)
        else -> Verdict("next")
    }
}

/** Return the values of the app that conditions can read, by their full names: those of answers and attributes. */
internal fun valuesSet(values: Json): Json =
    values.entries.map { (name, value) -> (if (Regex("^(answers|attributes)\\..*").matches(name)) name else "answers.$name") to value }
        .filter { (_, value) -> isPlain(value) }.take(MAX_SET).toMap()

private fun isPlain(value: Any?): Boolean = when (value) {
    is String -> value.length <= MAX_TEXT
    is Boolean, is Number -> true
    is List<*> -> value.isNotEmpty() && value.all { it is String && it.length <= MAX_TEXT }
    else -> false
}

/**
 * Return the first required screen in front of the position that a visit has not passed, because a newer version of the flow
 * may have one; null without it.
 */
internal fun missedRequired(flow: FlowDocument, way: Way, context: Json): Screen? {
    val limit = flow.placeOf(way.path.lastOrNull())
    val before = ArrayList<String>()
    while (true) {
        val next = nextStep(flow, Way(before, way.answers, way.choices, way.set), context).screenId
        if (next == null || flow.placeOf(next) >= limit) break
        before.add(next)
    }
    return flow.screens.firstOrNull { it.isRequired && it.id in before && it.id !in way.path }
}
