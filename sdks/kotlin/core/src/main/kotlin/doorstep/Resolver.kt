package doorstep

import java.util.concurrent.CompletableFuture

private const val RESOLVE_PATH = "/api/onboarding/resolve"
private const val CONFIG_PATH = "/api/config"

/** A late answer is kept for the next start. */
private const val REQUEST_MS = 10_000L

/** The configuration may be kept for so long by `Cache-Control`. */
private const val CONFIG_MS = 60_000L
private val SOURCES = setOf("override", "experiment", "targeting", "default")

/** The flow for a device: from the service in its time, else from what the device knows. */
internal class Resolver(private val store: Store, private val connection: Connection, private val options: Options) {
    private val clock = options.clock
    private val bundled = options.bundled?.let(::parseObject)
    private var configuring: CompletableFuture<Unit>? = null
    private var configuredAt: Long? = null
    private var notBefore = 0L

    /** Call back once with the flow for the device, within the time of the options. */
    fun resolve(deviceOf: () -> Json, done: (Resolution) -> Unit) {
        val result = CompletableFuture<Resolution>()
        result.thenAccept(done)
        fun end(answer: Resolution?) {
            if (!result.isDone) result.complete(answer ?: attempt { known(deviceOf()) } ?: nothing("offline", 0))
        }
        val cancel = clock.after(options.timeoutMs) { end(null) }
        store.whenReady {
            attempt {
                ask(deviceOf()) { answer ->
                    cancel()
                    end(answer)
                }
            } ?: end(null)
        }
    }

    /** Return the flow for the device without the service. */
    fun known(device: Json): Resolution {
        val kept = store.kept
        return kept.resolved?.copy(origin = "stored")
            ?: kept.config?.let { decided(it, device, "offline") }
            ?: bundled?.let { decided(it, device, "bundled") }
            ?: nothing("offline", 0)
    }

    /** The configuration that the device knows: the kept one, else that of the app's build. */
    fun configuration(): Json? = store.kept.config ?: bundled

    /** Fetch the configuration, at most once a minute. The one with the highest version is kept. */
    fun configure(): CompletableFuture<Unit> {
        val fetched = synchronized(this) {
            configuring?.let { return it }
            val now = clock.now()
            val last = configuredAt
            if (last != null && Math.abs(now - last) < CONFIG_MS) return CompletableFuture.completedFuture(Unit)
            configuredAt = now
            CompletableFuture<Unit>().also { configuring = it }
        }
        store.whenReady {
            val kept = store.kept
            val headers = if (kept.config != null && kept.etag.isNotEmpty()) mapOf("If-None-Match" to kept.etag) else emptyMap()
            connection.send("GET", CONFIG_PATH, null, headers, REQUEST_MS) { reply ->
                attempt { keepConfiguration(reply, kept.deviceId) }
                synchronized(this) { configuring = null }
                fetched.complete(Unit)
            }
        }
        return fetched
    }

    /** Ask the service. `done` gets its answer, or null without one. */
    private fun ask(device: Json, done: (Resolution?) -> Unit) {
        if (clock.now() < synchronized(this) { notBefore }) {
            done(null)
            return
        }
        val (token, deviceId) = store.kept.let { it.token to it.deviceId }
        val body = writeJson(if (token.isEmpty()) device else device + ("assignmentToken" to token))
        connection.send("POST", RESOLVE_PATH, body, emptyMap(), REQUEST_MS) { reply ->
            synchronized(this) { notBefore = if (reply.retryAfterMs > 0) clock.now() + reply.retryAfterMs else 0 }
            val answer = attempt { answerIn(reply) }
            // A reset in the meantime has made another device.
            if (answer != null && store.kept.deviceId == deviceId) {
                attempt { store.change { it.copy(resolved = answer).with(answer, reply.body.orEmpty()) } }
                val config = store.kept.config
                if (config == null || versionOf(config) < answer.configVersion) attempt { configure() }
            }
            done(answer)
        }
    }

    private fun Kept.with(answer: Resolution, body: Json): Kept {
        if (answer.source != "experiment" || answer.experimentId == null || answer.variant == null) return this
        val isNewEnough = config != null && versionOf(config) >= answer.configVersion
        val salt = if (isNewEnough) variantSaltIn(config.orEmpty(), answer.experimentId) else ""
        val newest = asText(asObject(body["assignment"])["token"]).ifEmpty { token }
        return copy(token = newest, assignment = KeptAssignment(answer.experimentId, answer.variant, salt, answer.configVersion))
    }

    private fun keepConfiguration(reply: Reply, deviceId: String) {
        val body = reply.body
        if (reply.status != 200 || body == null || !isConfiguration(body)) return
        val version = versionOf(body)
        store.change { kept ->
            val before = kept.config
            if (kept.deviceId != deviceId || (before != null && version < versionOf(before))) return@change kept
            val assignment = kept.assignment?.let {
                val lacks = it.variantSalt.isEmpty() && version >= it.configVersion
                if (lacks) it.copy(variantSalt = variantSaltIn(body, it.experimentId)) else it
            }
            kept.copy(config = body, etag = reply.etag, assignment = assignment)
        }
    }

    private fun decided(config: Json, device: Json, origin: String): Resolution? = attempt {
        if (!isConfiguration(config)) return@attempt null
        val kept = store.kept.assignment
        val decision = decide(config, device, kept)
        val flow = decision?.let { flowIn(config, it.flowId, device["locale"] as? String) }
        if (decision == null || flow == null || !isFlow(flow)) return@attempt nothing(origin, versionOf(config))
        val assignment = decision.assignment
        // A variant whose configuration is not here yet is newer, and stays.
        if (assignment != null && assignment !== kept && (kept == null || kept.variantSalt.isNotEmpty())) {
            store.change { it.copy(assignment = assignment) }
        }
        Resolution(
            "flow", decision.source, flow, decision.flowId, assignment?.experimentId, assignment?.variant, origin, versionOf(config),
        )
    }

    private fun <Value> attempt(run: () -> Value): Value? =
        try {
            run()
        } catch (error: Exception) {
            options.warnSafely("The flow cannot be resolved.", error)
            null
        }
}

private fun answerIn(reply: Reply): Resolution? {
    if (reply.status == 404 && reply.errorCode == "INVALID_FLOW") return nothing("network", 0)
    val flow = asObject(reply.body?.get("flow"))
    val assignment = asObject(reply.body?.get("assignment"))
    val source = asText(assignment["source"])
    if (reply.status != 200 || !isFlow(flow) || source !in SOURCES) return null
    val (experimentId, variant) = listOf("experimentId", "variant").map { asText(assignment[it]).ifEmpty { null } }
    return Resolution("flow", source, flow, asText(flow["id"]), experimentId, variant, "network", versionOf(reply.body.orEmpty()))
}

/** Return whether a value is a configuration that decides. */
private fun isConfiguration(value: Json): Boolean =
    value["configVersion"] is Number && value["flows"] is List<*> && value["experiments"] is List<*> &&
        asObject(value["settings"])["platforms"] is List<*>

private fun versionOf(config: Json): Long = asNumber(config["configVersion"])?.toLong() ?: 0

/** Return whether an app can draw a flow: half of one is none. */
internal fun isFlow(flow: Json): Boolean =
    asText(flow["id"]).isNotEmpty() && flow["screens"] is List<*> &&
        asObjects(flow["screens"]).all { asText(it["id"]).isNotEmpty() && asText(it["type"]).isNotEmpty() }

internal fun nothing(origin: String, version: Long): Resolution =
    Resolution("none", null, null, null, null, null, origin, version)
