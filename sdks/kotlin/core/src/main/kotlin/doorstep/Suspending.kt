/** Functions for coroutines. They need the standard library alone. */
package doorstep

import java.util.concurrent.CompletableFuture
import kotlin.coroutines.resume
import kotlin.coroutines.suspendCoroutine

/** Return the flow for this device within `timeoutMs`. */
public suspend fun Onboarding.awaitResolve(attributes: Map<String, Any> = emptyMap(), locale: String? = null): Resolution =
    resolve(attributes, locale).awaited()

/** Wait for the end of the flow. */
public suspend fun FlowSession.awaitResult(): FlowResult = result.awaited()

/** Send the events that wait. Return whether nothing waits any more. */
public suspend fun Onboarding.awaitFlush(): Boolean = flush().awaited()

/** Futures of the SDK never fail. */
private suspend fun <Value> CompletableFuture<Value>.awaited(): Value =
    suspendCoroutine { waiting -> thenAccept(waiting::resume) }
