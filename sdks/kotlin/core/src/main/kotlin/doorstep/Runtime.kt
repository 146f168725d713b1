/** What the JVM has: threads, time, files and connections. All threads are daemons, and end when they are idle. */
package doorstep

import java.io.ByteArrayOutputStream
import java.io.File
import java.io.FileOutputStream
import java.io.InputStream
import java.net.HttpURLConnection
import java.net.URL
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.ScheduledThreadPoolExecutor
import java.util.concurrent.ThreadFactory
import java.util.concurrent.ThreadPoolExecutor
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

private const val IDLE_SECONDS = 5L
private const val CONNECTIONS = 4
private const val MAX_REPLY_BYTES = 8 * 1_048_576

private val daemons = ThreadFactory { run -> Thread(run, "doorstep").apply { isDaemon = true } }

/** Return an executor whose threads end when they are idle. */
internal fun threads(count: Int): ThreadPoolExecutor =
    ThreadPoolExecutor(count, count, IDLE_SECONDS, TimeUnit.SECONDS, LinkedBlockingQueue(), daemons)
        .apply { allowCoreThreadTimeOut(true) }

private class SystemClock : Clock {
    private val timers = ScheduledThreadPoolExecutor(1, daemons).apply {
        setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS)
        allowCoreThreadTimeOut(true)
        removeOnCancelPolicy = true
    }

    override fun now(): Long = System.currentTimeMillis()

    override fun after(milliseconds: Long, run: () -> Unit): () -> Unit {
        val timer = timers.schedule({ runCatching(run) }, milliseconds, TimeUnit.MILLISECONDS)
        return { timer.cancel(false) }
    }
}

/** Return the clock of the runtime. */
public fun systemClock(): Clock = SystemClock()

/** Return a storage that ends with the process. */
public fun memoryStorage(): Storage = object : Storage {
    private val values = ConcurrentHashMap<String, String>()

    override fun get(key: String): String? = values[key]

    override fun set(key: String, value: String) {
        values[key] = value
    }

    override fun remove(key: String) {
        values.remove(key)
    }
}

/** Return a storage of one file for each key in a folder, such as `context.filesDir`. A file is replaced as a whole. */
public fun fileStorage(folder: File): Storage = object : Storage {
    override fun get(key: String): String? = fileOf(key).takeIf { it.exists() }?.readText()

    override fun set(key: String, value: String) {
        folder.mkdirs()
        val new = File(folder, fileOf(key).name + ".new")
        FileOutputStream(new).use { stream ->
            stream.write(value.toByteArray(Charsets.UTF_8))
            stream.fd.sync()
        }
        if (!new.renameTo(fileOf(key))) throw java.io.IOException("$key cannot be replaced")
    }

    override fun remove(key: String) {
        fileOf(key).delete()
    }

    private fun fileOf(key: String) = File(folder, key.replace(Regex("[^A-Za-z0-9._-]"), "_") + ".json")
}

/** Return a transport over HttpURLConnection. Each request has a limit of time as a whole. */
public fun urlTransport(clock: Clock): Transport {
    val threads = threads(CONNECTIONS)
    return Transport { request, timeoutMs, done ->
        val isDone = AtomicBoolean()
        val end = { reply: HttpReply? -> if (isDone.compareAndSet(false, true)) done(reply) }
        var connection: HttpURLConnection? = null
        val cancel = clock.after(timeoutMs) {
            end(null)
            // A connection that is closed ends its thread. Closing may wait, so that it has a thread, too.
            connection?.let { daemons.newThread(it::disconnect).start() }
        }
        threads.execute {
            val reply = runCatching {
                val opened = (URL(request.url).openConnection() as HttpURLConnection).also { connection = it }
                exchange(opened, request, timeoutMs.toInt())
            }.getOrNull()
            cancel()
            end(reply)
        }
    }
}

private fun exchange(connection: HttpURLConnection, request: HttpRequest, timeoutMs: Int): HttpReply {
    connection.requestMethod = request.method
    connection.connectTimeout = timeoutMs
    connection.readTimeout = timeoutMs
    connection.instanceFollowRedirects = false
    connection.useCaches = false
    request.headers.forEach(connection::setRequestProperty)
    request.body?.let { body ->
        val bytes = body.toByteArray(Charsets.UTF_8)
        connection.doOutput = true
        connection.setFixedLengthStreamingMode(bytes.size)
        connection.outputStream.use { it.write(bytes) }
    }
    val status = connection.responseCode
    val stream = if (status >= HttpURLConnection.HTTP_BAD_REQUEST) connection.errorStream else connection.inputStream
    val content = stream?.use(::read).orEmpty()
    val headers = connection.headerFields.entries.filter { it.key != null && it.value.isNotEmpty() }
        .associate { lower(it.key) to it.value[0] }
    return HttpReply(status, headers, content)
}

private fun read(stream: InputStream): String {
    val found = ByteArrayOutputStream()
    val part = ByteArray(8_192)
    while (true) {
        val count = stream.read(part)
        if (count < 0) return String(found.toByteArray(), Charsets.UTF_8)
        found.write(part, 0, count)
        if (found.size() > MAX_REPLY_BYTES) throw java.io.IOException("the reply is too large")
    }
}
