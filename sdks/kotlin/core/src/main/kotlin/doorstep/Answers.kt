/** Answers to the questions of a flow, their validation, and the values that conditions, formulas and texts read. */
package doorstep

import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale

/** A screen of a flow. Its texts may have names in braces. */
internal class Screen(
    val id: String,
    val type: String,
    val content: Json,
    val settings: Json,
    val showIf: List<Json>,
    val next: List<Json>,
) {
    val isQuestion get() = type.startsWith("question_") || type == "consent"
    val answerKey get() = asText(content["answer_key"]).ifEmpty { id }
}

/** A flow with the trees of its variables, by their full names. */
internal class FlowDocument(val id: String, val appName: String, val screens: List<Screen>, val variables: Map<String, Any?>) {
    /** Whether the flow has conditions or rules. */
    val hasLogic = screens.any { it.showIf.isNotEmpty() || it.next.isNotEmpty() }

    fun placeOf(screenId: String?): Int = screens.indexOfFirst { it.id == screenId }
}

internal fun readFlow(flow: Json, appName: String): FlowDocument {
    val screens = asObjects(flow["screens"]).mapIndexed { place, screen ->
        Screen(
            asText(screen["id"]).ifEmpty { (place + 1).toString() }, asText(screen["type"]), asObject(screen["content"]),
            asObject(screen["settings"]), asObjects(screen["showIf"]), asObjects(screen["next"]),
        )
    }
    val variables = asObjects(flow["variables"]).associate { "variables.${asText(it["name"])}" to parseFormula(asText(it["formula"])) }
    return FlowDocument(asText(flow["id"]), appName, screens, variables)
}

/** What a user gives on a screen. A number is a text; pickers and multiple choices have several values. */
internal class Given(val values: List<String>, val unit: String? = null, val isList: Boolean = false)

/** The reason why an answer is not valid; `min` and `max` are the limits of `too_few` and `range`. */
public data class Problem(val code: String, val min: Double? = null, val max: Double? = null)

/** What the logic reads. `choices` are the answers of screens that are no questions, by the ids of the screens. */
internal class Way(
    val path: List<String>,
    val answers: Map<String, Given>,
    val choices: Map<String, String>,
    /** What the app has set, by the ids of the screens. */
    val set: Map<String, Json> = emptyMap(),
)

/** Return what a user gives on a screen for a value of its answer. */
internal fun givenOf(screen: Screen, value: Any?): Given {
    if (value is Iterable<*>) return Given(value.map { plainText(it) }, isList = true)
    val text = plainText(value)
    if (screen.type == "question_picker") {
        when (pickerOf(screen.content)) {
            "date" -> {
                val (year, month, day) = (text.split("-") + listOf("", "", "")).take(3).map { it.toIntOrNull() ?: 0 }
                return Given(listOf(MONTHS.getOrElse(month - 1) { "" }, day.toString(), year.toString()), isList = true)
            }
            "height", "weight" -> return Given(listOf(text), "metric", isList = true)
            else -> return Given(listOf(text), isList = true)
        }
    }
    return Given(listOf(text))
}

/** Return the problem of what is given to a question, null if it is valid. */
internal fun problemOf(screen: Screen, given: Given?): Problem? {
    val content = screen.content
    val values = given?.values.orEmpty()
    val first = values.firstOrNull().orEmpty()
    val kind = if (screen.type == "question_picker") pickerOf(content) else screen.type
    return when (kind) {
        "question_text" -> Problem("missing").takeIf { content["required"] == true && first.isEmpty() }
        "question_single_choice", "options" -> {
            val offered = optionsOf(content)
            val isOptional = offered.isEmpty() || content["required"] == false
            Problem("choose").takeUnless { if (given == null) isOptional else offered.any { it.value == first } }
        }
        "consent" -> Problem("consent").takeIf { boxesOf(content).any { it.isRequired && it.name !in values } }
        "question_multiple_choice" -> {
            val least = leastChoices(content, optionsOf(content).size)
            Problem("too_few", least.toDouble()).takeIf { values.size < least }
        }
        "time" -> Problem("time").takeUnless { Regex("[0-9]{2}:[0-9]{2}").find(first)?.range?.first == 0 }
        "date" -> Problem("date").takeUnless { isDate(values) }
        "number", "height", "weight" -> {
            val (least, most) = limitsOf(content, kind, given?.unit)
            val hasFeet = kind == "height" && given?.unit == "imperial"
            val number = first.toDoubleOrNull()
            Problem("range", least, most).takeUnless { hasFeet || (number != null && number in least..most) }
        }
        else -> null
    }
}

/** Return the keys of an answer and their values in events. Each box of a consent is true or false. */
internal fun valuesOfAnswer(screen: Screen, given: Given): List<Pair<String, Any>> =
    if (screen.type == "consent") {
        boxesOf(screen.content).map { it.name to (it.name in given.values) }
    } else {
        listOf(screen.answerKey to if (given.isList) given.values else given.values.firstOrNull().orEmpty())
    }

/** Return the values of a way by their full names. `today` is the date of the context, or that of the device. */
internal fun valuesOf(flow: FlowDocument, way: Way, context: Json): Json {
    val values = LinkedHashMap<String, Any?>()
    values["app_name"] = flow.appName
    values["today"] = asText(context["today"]).ifEmpty { SimpleDateFormat("yyyy-MM-dd", Locale.ROOT).format(Date()) }
    MEMBERS.forEach { name -> context[name]?.let { values[name] = it } }
    asObject(context["attributes"]).forEach { (name, value) -> value?.let { values["attributes.$name"] = it } }
    for (screen in flow.screens.filter { it.id in way.path }) {
        val given = way.answers[screen.id]
        if (screen.type != "consent") {
            (if (given == null) way.choices[screen.id] else valueOn(screen, given))?.let { values["answers.${screen.answerKey}"] = it }
        } else if (given != null) {
            valuesOfAnswer(screen, given).forEach { (key, value) -> values["answers.$key"] = value }
        }
    }
    way.path.forEach { values.putAll(way.set[it].orEmpty()) }
    for ((name, tree) in flow.variables) {
        evaluate(tree, values)?.let { values[name] = it }
    }
    return values
}

/** Return the questions of a way by the names of their answers. */
internal fun questionsOf(flow: FlowDocument, way: Way): Map<String, Screen> =
    flow.screens.filter { it.id in way.path && it.id in way.answers }.associateBy { "answers.${it.answerKey}" }

/** Return the value of the answer on a screen. Numbers are metric, and not rounded. */
private fun valueOn(screen: Screen, given: Given): Any? {
    val (first, second, third) = given.values + listOf("", "", "")
    val isImperial = given.unit == "imperial"
    if (screen.type == "question_multiple_choice") {
        return optionsOf(screen.content).map { it.value }.filter { it in given.values }
    }
    fun number(text: String) = text.toDoubleOrNull() ?: 0.0
    return when (if (screen.type == "question_picker") pickerOf(screen.content) else "") {
        "date" -> listOf(third.padStart(4, '0'), twoDigits(MONTHS.indexOf(first) + 1), twoDigits(second)).joinToString("-")
        "time" -> first.take(5)
        "height" -> if (isImperial) (number(first) * 12 + number(second)) * CM_PER_INCH else number(first)
        "weight" -> number(first) * (if (isImperial) KG_PER_POUND else 1.0)
        "number" -> number(first)
        else -> first
    }
}
