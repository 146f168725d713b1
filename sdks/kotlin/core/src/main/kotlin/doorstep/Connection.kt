package doorstep

import java.text.SimpleDateFormat
import java.util.Date
import java.util.Locale
import java.util.TimeZone
import java.util.concurrent.atomic.AtomicBoolean

private const val MAX_RETRY_AFTER_MS = 86_400_000L

/** A reply of the service. The status is 0 without one in time; the body is null if it is no JSON object. */
internal class Reply(val status: Int, val body: Json?, val etag: String, val retryAfterMs: Long) {
    /** The code of an error of the service; empty for a reply that is not of the service. */
    val errorCode: String get() = if (body?.get("success") == false) asText(body["code"]) else ""
}

internal val NO_REPLY = Reply(0, null, "", 0)

/** Requests with the credentials of a project. */
internal class Connection(options: Options) {
    private val transport = options.transport
    private val clock = options.clock
    private val baseUrl = options.baseUrl.trimEnd('/')
    private val headers = mapOf("X-Project-Id" to options.projectId, "X-Secret-Key" to options.secretKey)

    /** Send a request. `done` is called once, after the time of the request at the latest. */
    fun send(method: String, path: String, body: String?, own: Map<String, String>, timeoutMs: Long, done: (Reply) -> Unit) {
        val isDone = AtomicBoolean()
        val end = { reply: Reply -> if (isDone.compareAndSet(false, true)) done(reply) }
        val cancel = clock.after(timeoutMs) { end(NO_REPLY) }
        val json = if (body == null) emptyMap() else mapOf("Content-Type" to "application/json")
        val request = HttpRequest(method, baseUrl + path, headers + json + own, body)
        try {
            transport.send(request, timeoutMs) { reply ->
                cancel()
                end(reply?.let(::read) ?: NO_REPLY)
            }
        } catch (_: Exception) {
            cancel()
            end(NO_REPLY)
        }
    }

    private fun read(reply: HttpReply) =
        Reply(reply.status, parseObject(reply.content), reply.headers["etag"].orEmpty(), waitOf(reply.headers["retry-after"].orEmpty()))

    private fun waitOf(retryAfter: String): Long {
        val wait = retryAfter.trim().toDoubleOrNull()?.let { (it * 1_000).toLong() }
            ?: runCatching { dates().parse(retryAfter).time - clock.now() }.getOrDefault(0)
        return wait.coerceIn(0, MAX_RETRY_AFTER_MS)
    }
}

private fun dates() = SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss zzz", Locale.ROOT)

/** Return a time in ISO 8601. */
internal fun timestampOf(milliseconds: Long): String =
    SimpleDateFormat("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'", Locale.ROOT)
        .apply { timeZone = TimeZone.getTimeZone("UTC") }.format(Date(milliseconds))
