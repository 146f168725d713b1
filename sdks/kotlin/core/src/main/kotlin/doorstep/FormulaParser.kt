/** The parser of formulas (docs/logic.md). A tree is a text, a number, a boolean, or a list of an operator and arguments. */
package doorstep

private val TOKEN = Regex(
    "([ \\t\\r\\n]+)" +
        "|((?:[0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![0-9A-Za-z_.]))" +
        "|(\"(?:[^\"\\\\]|\\\\[\"\\\\])*\")" +
        "|([A-Za-z_][A-Za-z0-9_]*(?:\\.[A-Za-z_][A-Za-z0-9_]*)*)" +
        "|(==|!=|<=|>=|[-+*/<>(),])",
)
private const val SPACE = 1
private const val NUMBER = 2
private const val TEXT = 3
private const val NAME = 4
private const val OPERATOR = 5

/** How tightly operators bind. */
private val PRECEDENCES = mapOf(
    "or" to 1, "and" to 2, "==" to 4, "!=" to 4, "<" to 4, "<=" to 4, ">" to 4, ">=" to 4,
    "+" to 5, "-" to 5, "*" to 6, "/" to 6,
)
private const val NOT = 3
private const val COMPARISON = 4
private const val UNARY = 7
private val CONSTANTS = mapOf("true" to true, "false" to false)

private class Token(val kind: Int, val text: String)

private class FormulaError : Exception()

/** Return the tree of a formula that the service accepts; null for another text. */
internal fun parseFormula(formula: String): Any? =
    try {
        FormulaParser(tokensOf(formula)).whole()
    } catch (_: FormulaError) {
        null
    }

private fun tokensOf(formula: String): List<Token> {
    val tokens = ArrayList<Token>()
    var place = 0
    while (place < formula.length) {
        val found = TOKEN.find(formula, place)?.takeIf { it.range.first == place } ?: throw FormulaError()
        val kind = (SPACE..OPERATOR).first { found.groups[it] != null }
        if (kind != SPACE) tokens.add(Token(kind, found.value))
        place = found.range.last + 1
    }
    return tokens
}

private class FormulaParser(private val tokens: List<Token>) {
    private var place = 0

    fun whole(): Any {
        val tree = read(1)
        return if (place == tokens.size) tree else throw FormulaError()
    }

    /** Read a part whose operators bind at least so tightly. */
    private fun read(least: Int): Any {
        var left = operand(least)
        while (true) {
            val operator = next()
            val precedence = PRECEDENCES[operator] ?: 0
            if (precedence == 0 || precedence < least) return left
            place += 1
            left = listOf(operator, left, read(precedence + 1))
            if (precedence == COMPARISON && PRECEDENCES[next()] == COMPARISON) throw FormulaError()
        }
    }

    private fun operand(least: Int): Any {
        if (take("-")) return listOf("-", read(UNARY))
        if (least <= NOT && take("not")) return listOf("not", read(NOT))
        if (take("(")) return read(1).also { need(")") }
        val token = tokens.getOrNull(place) ?: throw FormulaError()
        if (token.kind == OPERATOR || token.text == "not" || token.text in PRECEDENCES) throw FormulaError()
        place += 1
        val isFunction = token.kind == NAME && token.text !in CONSTANTS && take("(")
        return if (isFunction) listOf(token.text) + arguments() else leaf(token)
    }

    private fun arguments(): List<Any> {
        val given = ArrayList<Any>()
        while (!take(")")) {
            if (given.isNotEmpty()) need(",")
            given.add(read(1))
        }
        return given
    }

    private fun leaf(token: Token): Any =
        when (token.kind) {
            NUMBER -> token.text.toDouble()
            TEXT -> token.text.substring(1, token.text.length - 1).replace(Regex("\\\\(.)"), "$1")
            else -> CONSTANTS[token.text] ?: listOf("get", token.text)
        }

    private fun next(): String = tokens.getOrNull(place)?.text.orEmpty()

    private fun take(expected: String): Boolean = (next() == expected).also { if (it) place += 1 }

    private fun need(expected: String) {
        if (!take(expected)) throw FormulaError()
    }
}
