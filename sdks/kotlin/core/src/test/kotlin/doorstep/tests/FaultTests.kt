/** The promises under faults: it never hangs, throws nothing, and loses no event. */
package doorstep.tests

import doorstep.HttpReply
import doorstep.Onboarding
import doorstep.Options
import doorstep.Storage
import doorstep.fileStorage
import doorstep.asObjects
import doorstep.parseObject
import java.io.File
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Files
import java.util.concurrent.CountDownLatch
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

private const val LONG_SECONDS = 20L

private class FailingStorage : Storage {
    override fun get(key: String): String? = throw IllegalStateException("broken")

    override fun set(key: String, value: String): Unit = throw IllegalStateException("full")

    override fun remove(key: String): Unit = throw IllegalStateException("broken")
}

private class HangingStorage : Storage {
    private val never = CountDownLatch(1)

    override fun get(key: String): String? = null.also { never.await() }

    override fun set(key: String, value: String) = never.await()

    override fun remove(key: String) = never.await()
}

/** Run with the address of a server that treats each connection so, on threads that end with it. */
private fun withServer(serve: (java.net.Socket) -> Unit, run: (String) -> Unit) {
    ServerSocket(0, 50, InetAddress.getLoopbackAddress()).use { server ->
        thread(isDaemon = true) {
            runCatching { while (true) server.accept().let { socket -> thread(isDaemon = true) { runCatching { serve(socket) } } } }
        }
        run("http://127.0.0.1:${server.localPort}")
    }
}

private fun slowly(socket: java.net.Socket) {
    socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n{".toByteArray())
    while (true) {
        socket.getOutputStream().write(' '.code)
        Thread.sleep(20)
    }
}

private fun isDecided(url: String, storage: Storage) {
    val client = Onboarding(Options(url, "p", "s", storage, timeoutMs = 300))
    same("none", client.resolve().get(LONG_SECONDS, TimeUnit.SECONDS).status)
    client.track("happened")
    client.reset()
    client.close()
}

internal fun faultTests(): List<Test> = listOf(
    Test("servers that hang, drip, close or talk nonsense are not waited for") {
        val storage = { fileStorage(Files.createTempDirectory("doorstep").toFile()) }
        withServer({ Thread.sleep(60_000) }) { isDecided(it, storage()) }
        withServer(::slowly) { isDecided(it, storage()) }
        withServer({ it.close() }) { isDecided(it, storage()) }
        withServer({ socket -> socket.use { it.getOutputStream().write("nonsense\r\n\r\n".toByteArray()) } }) { isDecided(it, storage()) }
        isDecided("no address", storage())
    },
    Test("storage that throws or hangs costs the next start, and nothing else") {
        withServer({ Thread.sleep(60_000) }) {
            isDecided(it, FailingStorage())
            isDecided(it, HangingStorage())
        }
    },
    Test("storage that throws delivers events") {
        val service = FakeService().apply { replies[FakeService.EVENTS] = ::accepted }
        val client = Onboarding(options(service, FakeClock(), FailingStorage())) { it.run() }
        client.track("happened")
        same(true, client.flush().get())
        same(1, service.sent.single().events.size)
    },
    Test("apps that throw harm nothing") {
        val service = FakeService()
        val options = options(service, FakeClock(), storageOn(HashMap()), { error("device") })
        val throwing = Options(
            options.baseUrl, "p", "s", options.storage, options.device, onEvent = { error("event") }, warn = { _, _ -> error("log") },
            clock = options.clock, transport = { _, _, _ -> error("transport") }, random = { error("random") },
        )
        val client = Onboarding(throwing) { it.run() }
        client.subscribe { error("listener") }
        client.setAttributes(mapOf("plan" to "pro"))
        client.track("happened")
        same("none", client.resolve().get().status)
        same(false, client.flush().get())
    },
    Test("replies that are half an answer or garbage are no answers") {
        val service = FakeService()
        val client = Onboarding(options(service, FakeClock(), storageOn(HashMap()))) { it.run() }
        for (content in listOf("", "{", "[]", "<html>", "{\"flow\":{\"id\":\"f\"}}", "{\"a\":".repeat(5_000), "\u0000", "1e999")) {
            service.replies[FakeService.RESOLVE] = { HttpReply(200, emptyMap(), content) }
            same("offline", client.resolve().get().origin)
        }
    },
    Test("files keep the state, and a torn file is a first start") {
        val folder = Files.createTempDirectory("doorstep").toFile()
        val clock = FakeClock()
        val service = FakeService()
        Onboarding(options(service, clock, fileStorage(folder))) { it.run() }.track("kept")
        val file = File(folder, "doorstep.p.json")
        same(1, asObjects(parseObject(file.readText())?.get("events")).size)
        service.replies[FakeService.EVENTS] = ::accepted
        Onboarding(options(service, clock, fileStorage(folder))) { it.run() }
        clock.pass(1)
        same(1, service.sent.last().events.size)
        file.writeText(file.readText().take(40))
        Onboarding(options(service, clock, fileStorage(folder))) { it.run() }.track("again")
        same(1, asObjects(parseObject(file.readText())?.get("events")).size)
    },
)
