/** docs/bucketing-vectors.json and docs/logic-vectors.json. */
package doorstep.tests

import doorstep.Json
import doorstep.Shown
import doorstep.Visit
import doorstep.FlowSession
import doorstep.Button
import doorstep.asList
import doorstep.asNumber
import doorstep.asObject
import doorstep.asObjects
import doorstep.asText
import doorstep.bucketOf
import doorstep.compareVersions
import doorstep.decide
import doorstep.directionOf
import doorstep.deviceValues
import doorstep.evaluate
import doorstep.filled
import doorstep.holds
import doorstep.isInRanges
import doorstep.isInside
import doorstep.matchedLocale
import doorstep.murmur3
import doorstep.parseFormula
import doorstep.parseObject
import doorstep.readFlow
import doorstep.translated
import doorstep.writeJson
import java.io.File

internal fun bucketingVectors(docs: File): List<Test> {
    val file = read(File(docs, "bucketing-vectors.json"))
    fun each(section: String, check: (Json) -> Unit) =
        asObjects(file[section]).mapIndexed { place, vector -> Test("$section $place") { check(vector) } }
    return each("buckets") {
        val (salt, deviceId) = it["salt"].toString() to it["deviceId"].toString()
        same(asNumber(it["hash"]), murmur3("$salt:$deviceId".toByteArray(Charsets.UTF_8)))
        same(asNumber(it["bucket"]), bucketOf(salt, deviceId))
    } + each("rollouts") { rollout ->
        asObjects(rollout["devices"]).forEach {
            same(it["inside"], isInside(asText(rollout["flowId"]), asNumber(rollout["percentage"])!!, asText(it["deviceId"])))
        }
    } + each("variants") { vector ->
        asObjects(vector["devices"]).forEach { device ->
            val bucket = bucketOf(asText(vector["variantSalt"]), asText(device["deviceId"]))
            same(device["variant"], asObjects(vector["variants"]).firstOrNull { isInRanges(it["ranges"], bucket) }?.get("key"))
        }
    } + each("versions") {
        same(asNumber(it["order"]), compareVersions(asText(it["one"]), asText(it["other"]))?.let(Integer::signum))
    } + asList(file["notVersions"]).map { text ->
        Test("not a version: $text") { same(null, compareVersions(text.toString(), "1.0.0")) }
    } + each("conditions") {
        same(it["holds"], holds(asObject(it["condition"]), deviceValues(asObject(it["device"]))))
    } + each("decisions") { vector ->
        asObjects(vector["devices"]).forEach {
            val decision = decide(asObject(vector["config"]), asObject(it["device"]), null)
            same(listOf(it["flowId"], it["source"]), listOf(decision?.flowId, decision?.source))
        }
    } + each("languages") { vector ->
        val locales = asList(vector["locales"]).map { it.toString() }
        asList(vector["tags"]).map(::asList).forEach { (wanted, locale) ->
            same(locale, matchedLocale(locales, asObject(vector["aliases"]), wanted as String?))
        }
    } + each("overlays") {
        val locales = asList(it["locales"]).map { tag -> tag.toString() }
        same(it["expected"], translated(asObject(it["content"]), asObject(it["localizations"]), asText(it["locale"]), locales))
    } + each("directions") {
        same(it["direction"], directionOf(asText(it["locale"])))
    }
}

internal fun logicVectors(docs: File): List<Test> {
    val file = read(File(docs, "logic-vectors.json"))
    val given = asObjects(file["values"]).first()
    val values = asObject(given["values"])
    return asObjects(file["formulas"]).map {
        Test("formula ${it["formula"]}") {
            val tree = parseFormula(it["formula"].toString()) ?: throw AssertionError("it is no formula")
            same(it["value"], evaluate(tree, values + ("today" to given["today"])))
        }
    } + asObjects(file["conditions"]).map {
        Test("condition ${writeJson(it["condition"])}") { same(it["holds"], holds(asObject(it["condition"]), asObject(it["values"]))) }
    } + asObjects(file["texts"]).map {
        Test("text ${it["text"]} in ${it["language"]}") {
            val member = if (it["html"] == true) "html" else "title"
            val found = filled(mapOf(member to it["text"]), Shown(values, emptyMap(), asText(it["language"])))[member]
            same(unescaped(it["expected"].toString()), unescaped(found.toString()))
        }
    } + asObjects(file["flows"]).map { Test("flow ${it["name"]}") { walk(it) } }
}

/** Characters have several escapes in HTML. */
private fun unescaped(html: String): String {
    val plain = Regex("&#([0-9]+);").replace(html) { it.groupValues[1].toInt().toChar().toString() }
    return listOf("&lt;" to "<", "&gt;" to ">", "&amp;" to "&").fold(plain) { text, (one, other) -> text.replace(one, other) }
}

/** Take the steps of a flow. */
private fun walk(vector: Json) {
    val views = ArrayList<Any?>()
    val flow = readFlow(vector, asText(vector["appName"]))
    var stored: Json = emptyMap()
    fun open(from: Json) = FlowSession(
        flow,
        Visit(
            asObject(vector["context"]) + ("today" to vector["today"]), asText(vector["language"]).ifEmpty { "en" }, false, null, from,
            record = { type, _, properties -> if (type == "screen_viewed") views.add(properties) },
            save = { state -> stored = state ?: stored }, finish = {}, ask = null, after = { _, _ -> {} },
        ),
    )
    var session = open(stored)
    for (step in asObjects(vector["steps"])) {
        if (session.state.isOver) break
        val screen = flow.screens[flow.placeOf(session.state.screenId)]
        when (step["do"]) {
            "answer" -> if (screen.isQuestion) {
                same(null, session.answer(step["value"]))
            } else {
                // The app answers for these screens; a restart must keep it. It reports the view once more.
                val choices = asObject(stored["choices"]) + (screen.id to step["value"])
                session = open(asObject(parseObject(writeJson(stored + ("choices" to choices)))))
                views.removeAt(views.size - 1)
            }
            "forward" -> session.press(Button("Go", "next"))
            "skip" -> session.skip()
            else -> session.back()
        }
    }
    val expected = asObject(vector["expected"])
    val state = session.state
    same(
        listOf("path", "answers", "variables", "progress", "ended", "views").associateWith { expected[it] },
        mapOf(
            "path" to state.path, "answers" to state.answers, "variables" to state.variables, "progress" to state.progress,
            "ended" to state.isOver, "views" to views,
        ),
    )
}

internal fun read(file: File): Json = parseObject(file.readText()) ?: throw AssertionError("$file is no JSON")
