/** Runs all tests in the folder of documents that the first argument names. The exit status is 1 if one fails. */
package doorstep.tests

import doorstep.isSame
import doorstep.writeJson
import java.io.File
import kotlin.system.exitProcess

internal class Test(val name: String, val run: () -> Unit)

/** Fail unless two values are equal as JSON, whatever the order of their members. */
internal fun same(expected: Any?, found: Any?, place: String = "") {
    if (!areEqual(expected, found)) {
        throw AssertionError("$place\n  expected ${shown(expected)}\n  found    ${shown(found)}")
    }
}

private fun areEqual(one: Any?, other: Any?): Boolean =
    when {
        one is Map<*, *> && other is Map<*, *> -> one.keys == other.keys && one.keys.all { areEqual(one[it], other[it]) }
        one is List<*> && other is List<*> -> one.size == other.size && one.indices.all { areEqual(one[it], other[it]) }
        else -> isSame(one, other)
    }

private fun shown(value: Any?) = if (value is Map<*, *> || value is List<*>) writeJson(value) else value.toString()

public fun main(arguments: Array<String>) {
    val docs = File(arguments[0])
    val tests = bucketingVectors(docs) + logicVectors(docs) + sequences(docs) + clientTests() + appTests() + faultTests()
    val failures = tests.mapNotNull { test -> runCatching(test.run).exceptionOrNull()?.let { "FAILED ${test.name}: $it" } }
    failures.forEach(::println)
    println("${tests.size - failures.size} tests of the Kotlin SDK passed, ${failures.size} failed")
    exitProcess(if (failures.isEmpty()) 0 else 1)
}
