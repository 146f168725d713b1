/** The code of docs/sdk.md, line by line: `tests/docs` compares it, and the checks compile it. */
package doorstep.documented

import doorstep.DeviceFacts
import doorstep.FlowSession
import doorstep.FlowState
import doorstep.Onboarding
import doorstep.Options
import doorstep.Resolution
import doorstep.awaitResolve
import doorstep.awaitResult
import doorstep.fileStorage
import java.io.File
import java.util.concurrent.CompletableFuture

internal class App(
    private val baseUrl: String,
    private val projectId: String,
    private val secretKey: String,
    private val folder: File,
    private val draw: (FlowState, FlowSession) -> Unit,
    private val askForPermission: (String?) -> CompletableFuture<Unit>,
) {
    suspend fun show(): List<Any> {
        val onboarding = Onboarding(
            Options(
                baseUrl = "https://edge.example.com",
                projectId = projectId,
                secretKey = secretKey,
                storage = fileStorage(folder), // on Android, a folder in context.filesDir
                device = { DeviceFacts(platform = "android", appVersion = "2.1", attributes = mapOf("plan" to "pro")) },
            ),
        )
        val resolution = onboarding.awaitResolve() // or resolve(), a CompletableFuture
        if (resolution.status == "flow") {
            val session = onboarding.start(resolution)
            session.subscribe { state -> draw(state, session) }
            draw(session.state, session)
            val (outcome, answers) = session.awaitResult()
            return listOf(outcome, answers)
        }
        return emptyList()
    }

    fun startWithPermission(file: File, resolution: Resolution): FlowSession {
        val onboarding = Onboarding(Options(baseUrl, projectId, secretKey, fileStorage(folder), bundled = file.readText()))
        val session = onboarding.start(resolution) { request ->
            if (request.type == "permission") askForPermission(request.permission) else null
        }
        return session
    }
}
