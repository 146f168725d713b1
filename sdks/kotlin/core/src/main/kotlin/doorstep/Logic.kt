/** The way through a flow: conditions of screens, rules and progress (docs/logic.md). */
package doorstep

/** The target of a screen: null at the end of the flow; and the id of the rule that decides, null for the order. */
internal class Step(val screenId: String?, val rule: String?)

/** Return the step from the last screen of the path, or to the first one of an empty path. */
internal fun nextStep(flow: FlowDocument, way: Way, context: Json): Step {
    val place = flow.placeOf(way.path.lastOrNull())
    if (!flow.hasLogic) return Step(flow.screens.getOrNull(place + 1)?.id, null)
    val values = valuesOf(flow, way, context)
    fun goal(rule: Json): Int {
        val goTo = asText(rule["goTo"])
        return if (goTo == "end") flow.screens.size else flow.placeOf(goTo)
    }
    val rule = flow.screens.getOrNull(place)?.next?.firstOrNull { goal(it) > place && allHold(it["when"], values) }
    val target = if (rule == null) place + 1 else goal(rule)
    val screen = flow.screens.drop(target).firstOrNull { screen -> screen.showIf.all { holds(it, values) } }
    return Step(screen?.id, rule?.let { asText(it["id"]) }?.ifEmpty { null })
}

/** Return the share of the flow that was shown. Screens that depend on an answer not yet given may still come. */
internal fun progressOf(flow: FlowDocument, way: Way, context: Json): Double {
    if (!flow.hasLogic) return 0.0
    val values = valuesOf(flow, way, context)
    val counted = { screens: List<Screen> -> screens.count { it.settings["counts"] != false } }
    val shown = counted(flow.screens.filter { it.id in way.path })
    val coming = counted(
        flow.screens.drop(flow.placeOf(way.path.lastOrNull()) + 1).filter { screen ->
            screen.showIf.all { holds(it, values) } || screen.showIf.any { isWaiting(flow, asText(it["attribute"]), values) }
        },
    )
    return if (shown + coming > 0) shown.toDouble() / (shown + coming) else 1.0
}

/** Return whether a name depends on an answer not yet given. */
private fun isWaiting(flow: FlowDocument, name: String, values: Json): Boolean =
    if (name in flow.variables) {
        namesIn(flow.variables[name]).any { isWaiting(flow, it, values) }
    } else {
        name.startsWith("answers.") && values[name] == null
    }
