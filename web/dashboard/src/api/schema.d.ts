// Generated from management_api/docs/openapi.json by `npm run generate`; do not edit.
export interface paths {
    "/api/onboarding/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve the flow of a device
         * @description Evaluated in this order: the project's QA override for the device, its running experiments, its active flows that have a condition or a percentage below 100, by priority, its default flow, its other active flows, by priority. When none of them fits: 404 `INVALID_FLOW`.
         *
         *     The body may have at most 64 KiB.
         */
        post: operations["resolve_flow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Fetch the configuration of the project
         * @description All that an SDK needs to resolve by itself while offline. Send the `ETag` back as `If-None-Match`; each form of it, plain, gzip or brotli by `Accept-Encoding`, has a tag of its own, and any of them gives 304.
         */
        get: operations["get_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an analytics event
         * @description 201 means that the event is durable. After any other response send it again with the same `eventId`.
         *
         *     Built-in types are flow_started, screen_viewed, screen_completed, question_answered, permission_granted, permission_denied, flow_completed, flow_skipped, purchase and trial_started; any other name is an event of your own. The properties of a purchase and of a trial are product_id, and amount and currency where they are known.
         *
         *     The body may have at most 64 KiB.
         */
        post: operations["track_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, the newest first by their own time
         * @description Of all times, unless a `period` or `from` and `to` are given. One request reads at most 500,000 events. If a
         *     page of a busy day ends early for that, `next` in `pagination` is the `cursor` of the rest; a page that lies
         *     behind more events is a 400. With `Accept: text/csv` the response has the first 10,000 events, or the first
         *     16 MiB of them, regardless of `page` and `limit`; `properties` are JSON.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["list_events"];
        put?: never;
        /**
         * Send up to 500 analytics events
         * @description Each event is checked by itself, as by `track_event`: a bad event does not affect the others.
         *
         *     The body may have at most 1024 KiB.
         */
        post: operations["track_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/global-config": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find the address of flows and pages
         * @description For SDKs that have the credentials in the address. The response has the address below which they resolve, show pages and send events, with a new ticket. It is the project's `custom_domain`, else the public URL of the installation, else the origin of the request.
         */
        get: operations["get_global_config"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{ticket}/api/onboarding/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve the flow of a device by a ticket
         * @description The response of `resolve_flow`, with the members of its body as parameters. Without `platform` a User-Agent that is unmistakably iOS or Android decides, without `locale` the first tag of `Accept-Language`. 401 for a ticket of another project.
         */
        get: operations["resolve_flow_by_ticket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{ticket}/onboarding/{flow_id}/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a flow as a page
         * @description All screens are in it: the number is the screen to begin with. Any flow that is not archived is shown; a QA device whose entry says `draft` gets the draft. 503 while the pages are being prepared.
         */
        get: operations["get_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/s/{ticket}/api/analytics/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send up to 500 analytics events by a ticket
         * @description As `track_events`, but the service finds `experimentId` and `variant` by the rules of the project and the context in the query, of which an invalid member counts as absent. The link to a preview gives no access.
         */
        post: operations["track_events_by_ticket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/assets/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load an asset of pages
         * @description A script, a style sheet or an image, by a name with the hash of its content. It never changes, and is not counted.
         */
        get: operations["get_page_asset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/media/{project_id}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load a media file
         * @description A picture, an animation, a video or a font, by its `url` from the media library. It never changes. Ranges are served, `If-None-Match` and `If-Range` are honoured. Only a 404 is counted, by the address of the client.
         */
        get: operations["get_media_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/onboarding/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Load the shell of previews
         * @description For a frame in the dashboard, which sends it the document of a flow. It is not counted, and records nothing.
         */
        get: operations["get_preview_shell"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ofrep/v1/evaluate/flags/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a flag of OpenFeature
         * @description A device that gets a flow has an exposure from then on, as after a resolve. Errors have `errorCode` and `errorDetails`. Credentials are the headers of the other endpoints, or `{project id}.{secret key}` as `Authorization: Bearer` or `X-API-Key`.
         */
        post: operations["evaluate_flag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ofrep/v1/evaluate/flags/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate a flag of OpenFeature
         * @description A device that gets a flow has an exposure from then on, as after a resolve. Errors have `errorCode` and `errorDetails`. Credentials are the headers of the other endpoints, or `{project id}.{secret key}` as `Authorization: Bearer` or `X-API-Key`.
         */
        post: operations["api_evaluate_flag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ofrep/v1/evaluate/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate all flags of OpenFeature
         * @description No exposure is recorded. The `ETag` is of the bytes of the response. Errors have `errorCode` and `errorDetails`. Credentials are the headers of the other endpoints, or `{project id}.{secret key}` as `Authorization: Bearer` or `X-API-Key`.
         */
        post: operations["evaluate_flags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/ofrep/v1/evaluate/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Evaluate all flags of OpenFeature
         * @description No exposure is recorded. The `ETag` is of the bytes of the response. Errors have `errorCode` and `errorDetails`. Credentials are the headers of the other endpoints, or `{project id}.{secret key}` as `Authorization: Bearer` or `X-API-Key`.
         */
        post: operations["api_evaluate_flags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects of the caller
         * @description A project belongs to the list if the caller has a role in it.
         */
        get: operations["list_projects"];
        put?: never;
        /**
         * Create a project
         * @description The caller becomes its owner. Its first secret key is created with it; `list_project_keys` returns it.
         */
        post: operations["create_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a project with all its settings, statistics, used quotas and public keys
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_project"];
        /**
         * Update a project
         * @description Absent members stay as they are, inside `settings` too; `description: null` clears the description. A
         *     `default_flow_id` that is no flow of the project is a 404 `INVALID_FLOW`, and one whose content still needs a
         *     review a 409.
         *
         *     Needs the role `admin` or higher.
         */
        put: operations["update_project"];
        post?: never;
        /**
         * Delete a project
         * @description Its keys are refused and its members cannot see it from now on. Its flows, screens, themes, experiments and
         *     analytics data are deleted in the background; irreversible.
         *
         *     Needs the role `owner` or higher.
         */
        delete: operations["delete_project"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the statistics of a project over a period that ends today, in UTC days
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_project_statistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * List the public key of a project and its active secret keys, the newest first
         * @description The audit log has who saw them, at most once an hour for each user.
         *
         *     Needs the role `admin` or higher.
         */
        get: operations["list_project_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/api-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret key of a project
         * @description The old keys stay valid for the grace period; with 0 they are invalid at once. The body may be left out.
         *
         *     Needs the role `admin` or higher.
         */
        post: operations["rotate_project_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * List the members of a project
         * @description Needs the role `viewer` or higher.
         */
        get: operations["list_members"];
        put?: never;
        /**
         * Add a member
         * @description Only a user who has signed in to this service can be added: 404 otherwise. Exactly one of `user_id` and `email`
         *     names the user; an address that several users have is a 409, and so is a user who is a member already. Only an
         *     owner can add an owner.
         *
         *     Needs the role `admin` or higher.
         */
        post: operations["add_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example user_01h455vb4pex5vsknk084sn02q
                 */
                user_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a member; `me` in place of the user's id is the caller
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_member"];
        /**
         * Update the role of a member
         * @description Only an owner can give the role of an owner or take it away. The last owner keeps it: 409.
         *
         *     Needs the role `admin` or higher.
         */
        put: operations["update_member"];
        post?: never;
        /**
         * Remove a member, or leave
         * @description Every member can leave, with any role, but the last owner: 409. Only an owner can remove an owner.
         *
         *     Needs the role `admin` or higher.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/transfer": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Transfer a project to one of its admins
         * @description The admin becomes an owner, and the caller an admin. Another member is a 409.
         *
         *     Needs the role `owner` or higher.
         */
        post: operations["transfer_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * List the changes of a project, the newest first
         * @description `before` and `after` have the changed members; a value that is too large is replaced by its size. Keys never
         *     stand in it. A read of the secret keys is an entry too, `secret_key.show`, at most one for each user in an hour.
         *
         *     With `Accept: application/x-ndjson` or `text/csv` the response has the first 10,000 entries, or the first 16 MiB
         *     of them, regardless of `page` and `limit`. To collect the log, sort by `created_at`, and ask again with the `at`
         *     of the last entry as `since`. An entry may appear up to a minute behind its `at`, so ask for the last minute
         *     again, and drop entries by their `id`.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["list_audit_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/qa-devices": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the QA devices of a project, each with the flow that it always gets
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_qa_devices"];
        /**
         * Replace the QA devices of a project
         * @description `devices` is the complete map, at most 100. A device in it gets its flow before every other rule is evaluated,
         *     in every status of the flow, and its resolutions are not recorded. Instead of the id of its flow a device may
         *     have `flow_id` and `draft`: it gets the flow's draft while there is one. The deletion of a flow removes its
         *     devices from the map.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["replace_qa_devices"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/translations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the translations of all flows of a project that are not archived, with their states
         * @description They are of the drafts, and of the live flows that have none. The entity tag changes with these documents.
         *
         *     Needs the role `viewer` or higher.
         *
         *     Counts as 10 requests of the rate limit.
         */
        get: operations["get_project_translations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/translations/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Export the texts of all flows of a project that are not archived. Keys begin with the id of the flow
         * @description Needs the role `viewer` or higher.
         *
         *     Counts as 10 requests of the rate limit.
         */
        get: operations["export_project_translations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/translations/import": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write the translations of a file into the drafts of the flows that it names, in one transaction
         * @description `If-Match` is about the entity tag of `GET /projects/{project_id}/translations`.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["import_project_translations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/flows/order": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the order of evaluation: all flows of a project that are not archived, the first one first
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_flow_order"];
        /**
         * Put the flows of a project in the order of their evaluation, the first one first
         * @description `flow_ids` names every flow that is not archived exactly once. Their priorities become n-1 to 0. No flow gets a
         *     version.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["order_flows"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain which flow a device gets
         * @description The body is that of a resolve. `steps` are the rules in the order of their evaluation, up to the one that
         *     matched, each with its reason; `flow_id` is null when no rule matched. The explanation is of the project's
         *     present state, which reaches the edges a moment later. Nothing is recorded.
         *
         *     Needs the role `viewer` or higher.
         *
         *     Counts as 10 requests of the rate limit.
         */
        post: operations["explain_resolution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/devices/{device_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description The device's own id, percent-encoded.
                 * @example device-1
                 */
                device_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Erase a device
         * @description Its events, exposures, statistics and QA override go, for good: assignments at once, events and statistics in
         *     the background, within minutes in a large project. The id stands percent-encoded in the path, a slash in it as
         *     `%2F`. A device that nothing is known of counts as erased, so this may be repeated. What the device sends
         *     afterwards is new. Conditions that name the device stay, and so do former versions and audit entries with them;
         *     the message lists flows and experiments with such a condition.
         *
         *     Needs the role `admin` or higher.
         */
        delete: operations["erase_device"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project_id}/devices/{device_id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description The device's own id, percent-encoded.
                 * @example device-1
                 */
                device_id: string;
            };
            cookie?: never;
        };
        /**
         * Read all data of a device, page by page
         * @description Its events in the order of their own time, then its dead letters; on the first page also its exposures, its QA
         *     override, and the flows and experiments with a condition that names it. Ask with `next` as `cursor` until `next`
         *     is null. A page has at most 10,000 events and dead letters, and one request reads at most 500,000 events of the
         *     project, so a page may be empty and have a `next`. Data that waits for its erasure is left out. The id stands in
         *     the path as for the erasure. The audit log has `device.export` with a digest of the id, at most once in an hour
         *     for each user and device.
         *
         *     Needs the role `admin` or higher.
         *
         *     Counts as 10 requests of the rate limit.
         */
        get: operations["export_device"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the flows of a project
         * @description Needs the role `viewer` or higher.
         */
        get: operations["list_flows"];
        put?: never;
        /**
         * Create a flow
         * @description `screens` are created with it, in the order of the list. With `is_default` it becomes the default flow.
         *     A `theme_id` that is no theme of the project is a 404 `NOT_FOUND`.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["create_flow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a flow, its screens with content and settings
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_flow"];
        /**
         * Update a flow
         * @description Absent members stay as they are, inside `targeting` too. Any status may become any other; archiving the default
         *     flow unsets it, and so does `is_default: false`. A flow that a running or paused experiment uses cannot be
         *     archived: 409. Where the project changes flows through drafts, only `status`, `is_default` and
         *     `priority` may change: 409.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["update_flow"];
        post?: never;
        /**
         * Delete a flow with its screens
         * @description A default flow is unset. A flow that a running or paused experiment uses cannot be deleted: 409.
         *
         *     Needs the role `editor` or higher.
         */
        delete: operations["delete_flow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Duplicate a flow
         * @description The copy is a draft with the screens, theme, priority and targeting of the original, named after it, and never
         *     the default flow. The body may be left out.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["duplicate_flow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/screens/order": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        /**
         * Reorder the screens of a flow
         * @description `screen_ids` names every screen of the flow exactly once.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["order_screens"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the draft of a flow; 404 `NOT_FOUND` when there is none
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_draft"];
        /**
         * Create or replace the draft of a flow: 201 or 200
         * @description The document may be unfinished, and has at most 1 MiB as JSON. Screens without `id` are new and get one; an `id`
         *     must be new, or that of a screen of the live flow, the draft or a version. Devices get the live flow until the
         *     draft is published, QA devices with `draft` aside. A change of the draft takes its approvals away.
         *     `If-None-Match: *` makes a draft only where there is none.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["put_draft"];
        post?: never;
        /**
         * Delete the draft of a flow; the live flow stays as it is
         * @description Needs the role `editor` or higher.
         */
        delete: operations["delete_draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/draft/diff": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        /**
         * Compare the draft with the live version
         * @description Needs the role `viewer` or higher.
         */
        get: operations["diff_draft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/draft/validate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Validate the draft: errors forbid its publication, warnings have to be ignored explicitly
         * @description Needs the role `viewer` or higher.
         */
        post: operations["validate_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/draft/approve": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve the draft as it is
         * @description The author of its last change may not: 403. A second approval of the same user changes nothing.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["approve_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the draft live, as a new version
         * @description Errors of the validation are a 400 with `details`. A 409 has `details` too: warnings without `ignore_warnings`,
         *     a live version newer than the draft's `base_version`, or missing approvals. `If-Match` is about the draft.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["publish_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/preview-link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link that shows a flow on a hosted page
         * @description For 24 hours everyone with the link can see the draft, or the live flow, as it is at that time. The page records
         *     nothing. At most two links of a flow are stored, one to the draft and one to the live flow: making one again
         *     renews it. 409 for an archived flow.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["create_preview_link"];
        /**
         * Revoke the preview links of a flow, to the draft and to the live flow
         * @description Within seconds they no longer open. A link that is made later does not open them again.
         *
         *     Needs the role `editor` or higher.
         */
        delete: operations["revoke_preview_links"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/translations": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the translations of a flow with their states
         * @description They are of the draft if there is one, else of the live flow. `summary` has each language but the default.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["get_translations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/translations/export": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        /**
         * Export the texts of a flow and their translations into one language
         * @description The key of a text is the id of its screen and its JSON pointer. A cell of CSV that begins with `=`, `+`, `-`,
         *     `@` or `'` has a `'` in front. XLIFF is of version 2.0, and its units have the keys as `name`.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["export_translations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/translations/import": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write the translations of a file, of at most 5 MiB, into the draft of a flow
         * @description The draft is made if there is none and a text changes. A text keeps its translation if the file has none. In
         *     JSON a `text` of null takes it away, and `"confirmed": true` takes `base` as the source of the same text.
         *     `If-Match` is about the draft. `skipped` has at most 1,000 texts.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["import_translations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/translations/draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Translate missing texts of a flow by the machine that the operator has named, into the draft
         * @description One request takes at most 100 texts. Texts that exist are never changed. A translation without the variables of
         *     its text is not taken. Without such a service: 409, and no text leaves.
         *
         *     Needs the role `editor` or higher.
         *
         *     Counts as 10 requests of the rate limit.
         */
        post: operations["draft_translations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        /**
         * List the versions of a flow, the newest first, without their documents
         * @description The newest 200 are kept, older ones as long as a draft or a pending schedule needs them.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["list_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        /**
         * Read a version of a flow with its document
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/versions/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        /**
         * Compare a version with the one before, or with `against`; version 1 with an empty document
         * @description Needs the role `viewer` or higher.
         */
        get: operations["diff_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a version live again, as a new version (201), or make it the draft (200)
         * @description Its screens have the ids that they had, so their statistics go on. Where the project requires approvals, only a
         *     version that was live in the last 24 hours may be restored to live. A draft that was there is replaced.
         *     `If-Match` is about the version that is live, for a restore to the draft about the draft.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["restore_version"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        /**
         * List the schedules of a flow, also those that have ended
         * @description `void_reason` is what would fail a pending one if it ran now: other changes may void it, and void it no more.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["list_schedules"];
        put?: never;
        /**
         * Schedule a change of a flow, within 5 seconds of `run_at`, in the name of the caller
         * @description `publish` fails as `draft_changed` if the draft is another one by then. Warnings are judged now, errors again at
         *     that time. One that could not run for 24 hours fails as `missed`. At most 20 are pending. `If-Match` is about
         *     the draft of a publication.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["create_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flows/{flow_id}/schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example sched_01h455vb4pex5vsknk084sn02q
                 */
                schedule_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a pending schedule; 409 for one that has ended
         * @description Needs the role `editor` or higher.
         */
        delete: operations["cancel_schedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the screens of a flow
         * @description Needs the role `viewer` or higher.
         */
        get: operations["list_screens"];
        put?: never;
        /**
         * Create a screen
         * @description It becomes the last one, or the one at `order`, and the screens from there on move up by one.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["create_screen"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screens/{screen_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example screen_01h455vb4pex5vsknk084sn02q
                 */
                screen_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a screen
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_screen"];
        /**
         * Update a screen
         * @description Absent members stay as they are. A new `order` moves the screen, and the others shift: orders stay 0..n-1.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["update_screen"];
        post?: never;
        /**
         * Delete a screen
         * @description The screens behind it move up.
         *
         *     Needs the role `editor` or higher.
         */
        delete: operations["delete_screen"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/screen-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the built-in screen templates
         * @description A template is a starting point: copy its `type` and `default_content` into POST /screens. There is at least one
         *     for every type of screen; sorted by a time, they are in the order of their ids.
         */
        get: operations["list_screen_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/flow-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the built-in flow templates
         * @description A template is a whole flow with a theme: create its `theme`, and then a flow from its `document` with that
         *     `theme_id`. Sorted by a time, templates are in the order of their ids.
         */
        get: operations["list_flow_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/theme-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the built-in theme templates. Sorted by a time, they are in the order of their ids */
        get: operations["list_theme_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the themes of a project
         * @description Needs the role `viewer` or higher.
         */
        get: operations["list_themes"];
        put?: never;
        /**
         * Create a theme
         * @description With `based_on`, the members of the look that are absent are copied from that theme: `colors`, `typography`,
         *     `borderRadius`, `appearance`, `background`, `logo`, `button`, `choice`, `progress`, `transition`, `spacing`.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["create_theme"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a theme
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_theme"];
        /**
         * Update a theme
         * @description Absent members stay as they are; a member that is present is replaced completely. Null unsets `appearance`,
         *     `background`, `logo`, `button`, `choice`, `progress`, `transition` or `spacing`.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["update_theme"];
        post?: never;
        /**
         * Delete a theme
         * @description It is unset in the flows that have it. Where the project changes flows through drafts, a theme of a flow cannot
         *     be deleted: 409.
         *
         *     Needs the role `editor` or higher.
         */
        delete: operations["delete_theme"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the draft of a theme; 404 when there is none
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_theme_draft"];
        /**
         * Create or replace the draft of a theme: 201 or 200
         * @description Devices get the live theme until the draft is published. `If-None-Match: *` makes a draft only where there is
         *     none.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["put_theme_draft"];
        post?: never;
        /**
         * Delete the draft of a theme; the live theme stays as it is
         * @description Needs the role `editor` or higher.
         */
        delete: operations["delete_theme_draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}/draft/diff": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        /**
         * Compare the draft of a theme with the live version
         * @description Needs the role `viewer` or higher.
         */
        get: operations["diff_theme_draft"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the draft live, as a new version of the theme
         * @description A 409 has `details`: too little contrast without `ignore_warnings`, a live version newer than the draft's
         *     `base_version`, or nothing to publish. Where the project requires approvals, a theme that live flows use is
         *     published with the role admin. `If-Match` is about the draft.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["publish_theme_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        /**
         * List the versions of a theme, the newest first, without their documents
         * @description The newest 200 are kept, and the one that the draft was begun from.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["list_theme_versions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}/versions/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        /**
         * Read a version of a theme with its document
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_theme_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}/versions/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        /**
         * Compare a version with the one before, or with `against`; version 1 with an empty document
         * @description Needs the role `viewer` or higher.
         */
        get: operations["diff_theme_version"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/themes/{theme_id}/versions/{number}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a version of a theme live again, as a new version (201), or make it the draft (200)
         * @description Where the project requires approvals, a theme that live flows use is restored with the role admin. A draft that
         *     was there is replaced. `If-Match` is about the version that is live, for a restore to the draft about the draft.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["restore_theme_version"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the media files of a project
         * @description Needs the role `viewer` or higher.
         */
        get: operations["list_media"];
        put?: never;
        /**
         * Upload a media file
         * @description The body is the file, with its `Content-Type`. It is read in a process of its own: pictures are encoded anew in
         *     the sizes of phones, without metadata; fonts become WOFF2; SVG is cleaned. A video needs `poster_media_id`.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["create_media"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/media/{media_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example media_01h455vb4pex5vsknk084sn02q
                 */
                media_id: string;
            };
            cookie?: never;
        };
        /**
         * Read a media file, with the flows and themes that use it
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_media"];
        /**
         * Change a media file
         * @description Absent members stay as they are; null removes a partner or the focal point. Where the project requires
         *     approvals, what devices see of a used file is changed by admins only.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["update_media"];
        post?: never;
        /**
         * Delete a media file
         * @description A file that a live flow, a draft, a pending schedule or a theme uses cannot be deleted: 409, whose `details`
         *     name up to 20 uses. Versions that have it keep showing it.
         *
         *     Needs the role `editor` or higher.
         */
        delete: operations["delete_media"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the experiments of a project
         * @description Needs the role `viewer` or higher.
         */
        get: operations["list_experiments"];
        put?: never;
        /**
         * Create an experiment as a draft
         * @description The weights of its variants sum to 100, and exactly one of them is the control. The flow of a variant must be
         *     one of the project and not archived; the experiment serves it in every status.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["create_experiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/experiments/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Estimate how many users and days an experiment needs
         * @description By the users and the conversions of the project in the last 28 days, today included, and by the smallest lift
         *     that it should find. An audience with conditions has fewer users.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["estimate_experiment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/experiments/{experiment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        /**
         * Read an experiment
         * @description Needs the role `viewer` or higher.
         */
        get: operations["get_experiment"];
        /**
         * Update an experiment
         * @description Absent members stay as they are; `audience` and `variants` are replaced completely. Once started, an experiment
         *     keeps its `primary_event` and, but for names and weights, its variants (409 otherwise); other weights move the
         *     fewest devices. A completed one can only have another name and hypothesis. `reset_assignments` assigns
         *     every device again, once.
         *
         *     Needs the role `editor` or higher.
         */
        put: operations["update_experiment"];
        post?: never;
        /**
         * Delete an experiment that is a draft or completed
         * @description A running or paused one must be completed first: 409.
         *
         *     Needs the role `editor` or higher.
         */
        delete: operations["delete_experiment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/experiments/{experiment_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start an experiment that is a draft or paused
         * @description From now on devices of its audience and inside its traffic get the flows of its variants. The body may be left
         *     out.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["start_experiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/experiments/{experiment_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a running experiment
         * @description No other device enters; a device that sends its assignment token keeps its variant. The body may be left out.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["pause_experiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/experiments/{experiment_id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete an experiment that is running or paused
         * @description With `winner`, the key of a variant, that variant's flow becomes the project's default flow, and active if it
         *     was a draft; an archived one is a 409. The body may be left out.
         *
         *     Needs the role `editor` or higher.
         */
        post: operations["complete_experiment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/experiments/{experiment_id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        /**
         * Read the results of an experiment so far
         * @description Users are counted from their exposure, conversions after it. `sequential_p_value` is valid at every look: the
         *     experiment may end as soon as it is below 0.05. `p_value` is valid for a single look at a time that was chosen
         *     beforehand. With `srm.mismatch` the results cannot be trusted.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["get_experiment_results"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count events and users
         * @description Over a `period` that ends today (default `7d`) or from the day `from` to the day `to`, both included, in UTC
         *     and by the events' own time. Rows are broken down by `group_by`: days ascending with zeros, anything else by
         *     events descending, at most 1000 rows. A user is a distinct device; null stands for events that do not say.
         *
         *     With `Accept: text/csv` the response has the rows alone, as CSV with a header, and `Content-Disposition` names a
         *     file. A text that a spreadsheet would compute has a quote before it.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["get_analytics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/funnel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the funnel of a flow
         * @description How many users started and completed the flow and each of its screens in the period, which is given as for
         *     GET /analytics. With `experimentId` only events of that experiment count, and `variants` has a funnel for each.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["get_funnel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the paths of users through a flow
         * @description How many users went from which screen to which other one, by which rule, and where they completed the flow or
         *     left it. The period is given as for GET /analytics. With `experimentId` only events of that experiment count,
         *     with `variant` those of one of its variants. Views of older SDKs, which name no screen before, add no link.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["get_paths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/analytics/responses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the answers to the questions of a flow
         * @description Hosted pages report them where the project's setting `record_answers` is on. The period is given as for
         *     GET /analytics. If a device answers a question twice in one session, the newest answer counts.
         *
         *     With `Accept: text/csv` the response has a row for each value, text or set of numbers.
         *
         *     Needs the role `viewer` or higher.
         */
        get: operations["get_responses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the calling user
         * @description The last token of the identity provider had this `email` and `name`.
         */
        get: operations["get_user"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/api-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the calling user's personal API key
         * @description The service creates it with the user. It gives access to all projects of the user.
         */
        get: operations["get_user_api_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/api-key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the calling user's personal API key
         * @description The old key is invalid at once. The body may be left out.
         */
        post: operations["rotate_user_api_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document
         * @description OpenAPI 3.1 of the edge and of the management service, of the installed version.
         */
        get: operations["get_openapi_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document as a page
         * @description The page loads nothing from other hosts.
         */
        get: operations["get_documentation_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a file of the documentation page. */
                asset: string;
            };
            cookie?: never;
        };
        /**
         * Read a script, a style sheet or an image of the page
         * @description Another name is a 404 `NOT_FOUND`.
         */
        get: operations["get_documentation_asset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process runs
         * @description It depends on no other server.
         */
        get: operations["get_liveness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check whether requests can be served
         * @description 503 while the service cannot serve; the edge adds the state of its snapshots and events.
         */
        get: operations["get_readiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The body of every response that is not a success. */
        Error: {
            /** @constant */
            success: false;
            /** @description The error in words, for people. */
            error: string;
            /**
             * @description The error, for programs.
             * @enum {unknown}
             */
            code: "MISSING_PARAMETER" | "INVALID_PARAMETER" | "UNAUTHORIZED" | "FORBIDDEN" | "INVALID_PROJECT" | "INVALID_FLOW" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "CONFLICT" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RATE_LIMITED" | "INTERNAL_ERROR" | "UNAVAILABLE";
            /** @description The HTTP status; absent when the project id or the secret key is wrong. */
            status?: number;
            /** @description Every bad field of a validation error, or the problems that forbid a publication. */
            details?: components["schemas"]["ErrorDetail"][];
            /** @description Of the endpoints of OFREP: the error by that protocol. */
            errorCode?: string;
            /** @description Of the endpoints of OFREP: the error in words. */
            errorDetails?: string;
            /** @description Of the endpoints of OFREP: the requested flag. */
            key?: string;
        };
        ErrorDetail: {
            /** @description The member, header or parameter; nested ones with dots. */
            field: string;
            /** @enum {unknown} */
            code: "MISSING_PARAMETER" | "INVALID_PARAMETER" | "TOO_FEW_OPTIONS" | "RUNNING_EXPERIMENT" | "PENDING_SCHEDULE" | "CONSECUTIVE_PAYWALLS" | "MISSING_TRANSLATION" | "OUTDATED_TRANSLATION" | "VARIABLE_MISMATCH" | "LOW_CONTRAST" | "STALE_BASE" | "NOTHING_TO_PUBLISH" | "UNKNOWN_SCREEN" | "BACKWARD_JUMP" | "UNREACHABLE_SCREEN" | "UNKNOWN_ANSWER" | "RULE_NEVER_USED" | "OPTION_UNKNOWN" | "APPROVALS_MISSING" | "IN_USE" | "QUOTA_USED_UP";
            /** @description The rule that is broken, to be read after the field's name. */
            message: string;
        };
        /** @description The address in front of the paths of published SDKs. */
        GlobalConfig: {
            backendDomain: string;
        };
        OfrepBody: {
            /** @description `targetingKey` is the id of the device. Scalars that a resolve does not have are attributes. */
            context: {
                targetingKey: components["schemas"]["ResolveBody"]["deviceId"];
                platform?: components["schemas"]["ResolveBody"]["platform"];
                appVersion?: components["schemas"]["ResolveBody"]["appVersion"];
                osVersion?: components["schemas"]["ResolveBody"]["osVersion"];
                locale?: components["schemas"]["ResolveBody"]["locale"];
                country?: components["schemas"]["ResolveBody"]["country"];
                assignmentToken?: components["schemas"]["ResolveBody"]["assignmentToken"];
                attributes?: components["schemas"]["ResolveBody"]["attributes"];
            } & {
                [key: string]: string | (boolean | number | Record<string, never> | unknown[] | null);
            };
        };
        /** @description A flag for one device. Without a flow the values are `{}`, `false` and empty texts. */
        OfrepFlag: {
            /** @enum {unknown} */
            key: "onboarding" | "onboarding.flow-id" | "onboarding.enabled" | "onboarding.variant";
            value: Record<string, never> | string | boolean;
            /** @enum {unknown} */
            reason: "TARGETING_MATCH" | "SPLIT" | "STATIC" | "DISABLED";
            variant: string;
            metadata: {
                [key: string]: string | boolean | number;
            };
        };
        /** @description The body of POST /api/onboarding/resolve. */
        ResolveBody: {
            /** @description must have 1 to 256 characters */
            deviceId: string;
            /** @default null */
            platform?: ("android" | "ios") | null;
            /** @default null */
            appVersion?: string | null;
            /** @default null */
            osVersion?: string | null;
            /** @default null */
            locale?: string | null;
            /** @default null */
            country?: string | null;
            /** @default null */
            attributes?: {
                [key: string]: string | boolean | number;
            } | null;
            /** @default null */
            assignmentToken?: string | null;
        };
        /** @description The body of POST /api/analytics/event, and one item of a batch. */
        EventBody: {
            /** @description must have 1 to 64 of a-z, 0-9, underscore and full stop, a letter first */
            eventType: string;
            /** @description must have 1 to 256 characters */
            deviceId: string;
            /** @default null */
            eventId?: string | null;
            /** @default null */
            flowId?: string | null;
            /** @default null */
            screenId?: string | null;
            /** @default null */
            experimentId?: string | null;
            /** @default null */
            variant?: string | null;
            /** @default null */
            sessionId?: string | null;
            /** @default null */
            timestamp?: string | null;
            /** @default null */
            sentAt?: string | null;
            /** @default null */
            platform?: ("android" | "ios") | null;
            /** @default null */
            appVersion?: string | null;
            /** @default null */
            locale?: string | null;
            /** @default null */
            properties?: Record<string, never> | null;
        };
        /** @description The body of POST /api/analytics/events; each item is checked by itself. */
        EventBatchBody: {
            /** @description must be a list of 1 to 500 events */
            events: (components["schemas"]["EventBody"] | unknown)[];
            /** @default null */
            sentAt?: string | null;
        };
        /** @description The response of a resolve. A project with more than one locale has the one that the device's `locale` matches. */
        Resolution: {
            flowId: string;
            projectId: string;
            flow: components["schemas"]["ResolvedFlow"];
            assignment: components["schemas"]["Assignment"];
            /** @description The revision of the configuration; it never goes backwards. */
            configVersion: number;
            locale?: string;
        };
        /**
         * @description The flow to show. `variables` are left out where there are none.
         *
         *     A project with more than one locale has the `locale` of the texts, and its `direction`.
         */
        ResolvedFlow: {
            id: string;
            name: string;
            theme: components["schemas"]["PublicTheme"] | null;
            screens: components["schemas"]["PublicScreen"][];
            /** @default [] */
            variables?: components["schemas"]["PublicVariable"][];
            locale?: string;
            /** @enum {string} */
            direction?: "ltr" | "rtl";
        };
        /**
         * @description The theme of a flow. `colors` are CSS hex colours by name; `dark` in it has those of dark devices.
         *
         *     Looks that are not set are left out.
         */
        PublicTheme: {
            id: string;
            name: string;
            colors: {
                [key: string]: string | {
                    [key: string]: string;
                };
            };
            typography: Record<string, never>;
            borderRadius: Record<string, never>;
            appearance?: string;
            background?: string | Record<string, never>;
            logo?: string | Record<string, never>;
            button?: Record<string, never>;
            choice?: string;
            progress?: string;
            transition?: string;
            spacing?: string;
        };
        /**
         * @description A screen of a flow. `showIf`, `next` and `localizations` are left out where they are empty.
         *
         *     The configuration has `localizations`: texts by locale and by the JSON pointer of the base text in `content`. A
         *     resolution has the texts of one locale in `content`.
         */
        PublicScreen: {
            id: string;
            type: components["schemas"]["ScreenType"];
            name: string | null;
            order: number;
            content: Record<string, never>;
            settings: Record<string, never>;
            /** @default [] */
            showIf?: Record<string, never>[];
            /** @default [] */
            next?: components["schemas"]["PublicRule"][];
            /** @default {} */
            localizations?: {
                [key: string]: {
                    [key: string]: string;
                };
            };
        };
        /**
         * @description The type of a screen.
         * @enum {string}
         */
        ScreenType: "welcome" | "feature" | "permissions" | "signup" | "question_text" | "question_single_choice" | "question_multiple_choice" | "question_picker" | "paywall" | "loading" | "summary" | "social_proof" | "comparison" | "consent" | "native" | "custom";
        /** @description A rule that leads from a screen to a later one; `goTo` is its id, or `end`. */
        PublicRule: {
            id: string;
            when: Record<string, never>[];
            goTo: string;
        };
        /** @description A value that the client computes (docs/logic.md). */
        PublicVariable: {
            name: string;
            formula: string;
        };
        /** @description The rule that chose the flow. Send `token` back as `assignmentToken` to keep a variant. */
        Assignment: {
            source: components["schemas"]["Source"];
            experimentId: string | null;
            variant: string | null;
            token: string | null;
        };
        /**
         * @description The `source` of an assignment: the kind of rule that its flow came from.
         * @enum {string}
         */
        Source: "override" | "experiment" | "targeting" | "default";
        /** @description Everything that an SDK needs to resolve by itself while it is offline. */
        Configuration: {
            projectId: string;
            name: string;
            settings: components["schemas"]["ConfiguredSettings"];
            flows: components["schemas"]["ConfiguredFlow"][];
            themes: components["schemas"]["ConfiguredTheme"][];
            experiments: components["schemas"]["ConfiguredExperiment"][];
            /** @description The revision of the configuration; it never goes backwards. */
            configVersion: number;
        };
        /**
         * @description The settings of the project. A project with more than one locale has them, the default first, and the aliases.
         *
         *     An alias is a tag that leads to a locale of the project. `recordAnswers` is true where events may have answers, else
         *     left out.
         */
        ConfiguredSettings: {
            platforms: ("ios" | "android")[];
            defaultFlowId: string | null;
            analyticsEnabled: boolean;
            customDomain: string | null;
            /** @enum {unknown} */
            recordAnswers?: true;
            defaultLocale?: string;
            locales?: string[];
            localeAliases?: {
                [key: string]: string;
            };
        };
        /**
         * @description A flow that a device can get.
         *
         *     Active flows are in the order of their priority. The flows with a condition or with a percentage below 100 are
         *     evaluated first, then the one with `isDefault`, then the other active ones. Flows of another status belong to
         *     variants of experiments.
         */
        ConfiguredFlow: {
            id: string;
            name: string;
            status: string;
            isDefault: boolean;
            priority: number;
            themeId: string | null;
            targeting: components["schemas"]["ConfiguredTargeting"];
            screens: components["schemas"]["PublicScreen"][];
            /** Format: date-time */
            createdAt: string;
            /** @default [] */
            variables?: components["schemas"]["PublicVariable"][];
        };
        /** @description The devices of a flow: all conditions must hold, and the device's bucket must be inside the percentage. */
        ConfiguredTargeting: {
            percentage: number;
            conditions: components["schemas"]["Condition"][];
        };
        /** @description A theme of the project. */
        ConfiguredTheme: {
            id: string;
            name: string;
            colors: {
                [key: string]: string | {
                    [key: string]: string;
                };
            };
            typography: Record<string, never>;
            borderRadius: Record<string, never>;
            appearance?: string;
            background?: string | Record<string, never>;
            logo?: string | Record<string, never>;
            button?: Record<string, never>;
            choice?: string;
            progress?: string;
            transition?: string;
            spacing?: string;
            isDefault: boolean;
        };
        /**
         * @description An experiment that is running, or paused, when only devices that are in it already have a variant.
         *
         *     A device of the audience takes part when its bucket under `trafficSalt` is below `trafficPercentage` x 100; its
         *     bucket under `variantSalt` lies in the ranges of its variant.
         */
        ConfiguredExperiment: {
            id: string;
            name: string;
            /** @enum {unknown} */
            status: "paused" | "running";
            /** Format: date-time */
            startedAt: string;
            audience: components["schemas"]["ConfiguredAudience"];
            trafficPercentage: number;
            trafficSalt: string;
            variantSalt: string;
            primaryEvent: string;
            variants: components["schemas"]["ConfiguredVariant"][];
        };
        /** @description The devices of an experiment: those for which all conditions hold. */
        ConfiguredAudience: {
            conditions: components["schemas"]["Condition"][];
        };
        /** @description A variant; its ranges of buckets are half open: from the first up to, but without, the second. */
        ConfiguredVariant: {
            key: string;
            name: string;
            flowId: string;
            isControl: boolean;
            weight: number;
            ranges: [
                number,
                number
            ][];
        };
        /** @description The event is durable. The same `eventId` again within 7 days is counted once. */
        EventReceipt: {
            /** @enum {unknown} */
            success: true;
            eventId: string;
        };
        /** @description The event was valid, but the project has its analytics turned off. */
        UnrecordedEvent: {
            /** @enum {unknown} */
            success: true;
            eventId: string;
            /** @enum {unknown} */
            recorded: false;
        };
        /** @description The result of each event, in the order sent. `recorded: false`: the project's analytics are turned off. */
        BatchReceipt: {
            /** @enum {unknown} */
            success: true;
            accepted: number;
            rejected: number;
            results: (components["schemas"]["AcceptedEvent"] | components["schemas"]["RejectedEvent"])[];
            /** @enum {unknown} */
            recorded?: false;
        };
        /** @description An event that is durable. */
        AcceptedEvent: {
            eventId: string;
            /** @enum {unknown} */
            status: "accepted";
        };
        /** @description An event that was rejected, and the reason; the others of the batch are not touched by it. */
        RejectedEvent: {
            /** @enum {unknown} */
            status: "rejected";
            code: string;
            error: string;
        };
        /** @description The edge's worker runs. */
        EdgeLiveness: {
            /** @enum {unknown} */
            status: "live";
        };
        /** @description The edge's worker can serve requests. */
        EdgeReadiness: {
            /** @enum {unknown} */
            status: "degraded" | "ready";
            snapshots: components["schemas"]["SnapshotHealth"];
            events: components["schemas"]["EventHealth"];
            /**
             * @description local: each worker counts alone, without Redis.
             * @enum {unknown}
             */
            rate_limits: "local" | "off" | "shared";
            /** @description For the changes of snapshots. */
            redis_reachable: boolean;
            /**
             * @description The former name of `redis_reachable`, until release 0.4.
             * @enum {unknown}
             */
            redis: "away" | "reachable";
            /** @description The clock of Redis minus the clock of the edge's worker; null without rate limits. */
            clock_difference_seconds: number | null;
            /** @description Fingerprints of the edge's keys, the one that signs first, to be compared. */
            assignment_keys: string[];
        };
        /** @description The snapshots from which the edge's worker serves. */
        SnapshotHealth: {
            /** @description Projects in memory. */
            projects: number;
            /** @description The former name of `projects`, until release 0.4. */
            held: number;
            /** @description Since Redis last confirmed them; null: never. */
            age_seconds: number | null;
            /** @description The most revisions that a project is known to be behind. */
            revision_lag: number;
            /** @enum {unknown} */
            disk_copy: "failing" | "off" | "written";
        };
        /** @description The place where the edge's worker stores events now. */
        EventHealth: {
            /**
             * @description none: events get the response 503.
             * @enum {unknown}
             */
            store: "none" | "redis" | "spool";
            /**
             * @description The former name of `store`, until release 0.4.
             * @enum {unknown}
             */
            stored: "nowhere" | "redis" | "spool";
            /** @enum {unknown} */
            spool: "empty" | "failing" | "filled" | "off";
            /** @description Waiting on disk for Redis. */
            spooled_records: number;
            spooled_bytes: number;
            /** @description The waiting time of the oldest record. */
            oldest_seconds: number | null;
        };
        /**
         * @description The alignment of texts.
         * @enum {string}
         */
        Align: "start" | "center";
        /** @description A breakdown; besides `events` and `users` each row has one member, the group, which null leaves unnamed. */
        AnalyticsView: {
            project_id: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            group_by: components["schemas"]["GroupBy"];
            totals: components["schemas"]["CountView"];
            rows: {
                /** Format: date */
                date?: string;
                event_type?: string | null;
                flow_id?: string | null;
                screen_id?: string | null;
                variant?: string | null;
                platform?: string | null;
                locale?: string | null;
                events: number;
                /** @description Distinct device ids. */
                users: number;
            }[];
        };
        /** @description The personal API key of a user. */
        ApiKeyView: {
            api_key: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /** @description The time of the last use of the key, at most a minute behind; null before the first. */
            last_used_at: string | null;
        };
        /**
         * @description The palette of a theme: that of the device, or always the same one.
         * @enum {string}
         */
        Appearance: "auto" | "light" | "dark";
        /** @description The approval of a draft. */
        ApprovalView: {
            user_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            at: string;
        };
        /** @description The devices of an experiment: those for which all conditions hold. */
        AudienceBody: {
            conditions?: components["schemas"]["Condition"][];
        };
        /** @description The audience of an experiment. */
        AudienceView: {
            conditions: components["schemas"]["Condition"][];
            /** @description True in a list that leaves out large conditions: read the experiment by its id. */
            conditions_omitted?: boolean | null;
        };
        /** @description A change of an object, or a read of its secrets; `before` and `after` have the members that it changed. */
        AuditEntryView: {
            id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            at: string;
            user_id: string;
            /** @description The change, as `flow.update`. */
            action: string;
            entity_type: string;
            entity_id: string;
            /** @description The changed members before the change; null for a creation. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description The same members after the change; null for a deletion. Keys never stand in it. */
            after: {
                [key: string]: unknown;
            } | null;
            /** @description The name that the object has now; with `include=names`, unless it is deleted or has none. */
            entity_name?: string | null;
            /** @description The name of the user, or else the email address; with `include=names`, where one is known. */
            user_name?: string | null;
        };
        /**
         * @description The members of entries that are left out unless they are requested.
         * @enum {string}
         */
        AuditPart: "names";
        /**
         * @description What happens if the app does not answer in time.
         * @enum {string}
         */
        AwaitDefault: "next" | "stay";
        /** @description A picture behind the texts. `overlay` is the share of the page's colour that lies on it. */
        BackgroundPicture: {
            media_id: string;
            /**
             * @description Must have at most 300 characters; white space around it is trimmed
             * @default
             */
            alt?: string;
            /** @default 0 */
            overlay?: number;
            /** @default center */
            position?: string;
        };
        /** @description The look of buttons; the height is in CSS pixels. */
        Button: {
            /** @default filled */
            style?: components["schemas"]["ButtonStyle"];
            /** @default rounded */
            shape?: components["schemas"]["ButtonShape"];
            /** @default false */
            shadow?: boolean;
            /** @default 52 */
            height?: number;
        };
        /**
         * @description The corners of a button.
         * @enum {string}
         */
        ButtonShape: "rounded" | "pill" | "square";
        /**
         * @description The surface of a button.
         * @enum {string}
         */
        ButtonStyle: "filled" | "outline" | "soft" | "glass";
        /** @description One difference of two documents. */
        ChangeView: {
            /** @enum {string} */
            op: "add" | "remove" | "replace" | "move";
            /** @description A JSON pointer in which screens are named by their ids. */
            path: string;
            /** @description The former value, or the former position of a screen that was moved. */
            before: unknown;
            /** @description The new value, or the new position of a screen that was moved. */
            after: unknown;
        };
        /**
         * @description The form of the options of a question.
         * @enum {string}
         */
        ChoiceStyle: "card" | "chip" | "list" | "image_grid";
        /**
         * @description One condition on a device; all of a list must hold. A missing attribute fails every operator but `not_exists`, `neq` and `not_in`. A `locale` also matches by prefix: `pt` stands for `pt-BR`.
         * @example {
         *       "attribute": "appVersion",
         *       "operator": "semver_gte",
         *       "value": "2.1.0"
         *     }
         */
        Condition: {
            /** @enum {unknown} */
            attribute: "appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform";
            /** @enum {unknown} */
            operator: "eq" | "neq";
            value: string;
        } | {
            /** @enum {unknown} */
            attribute: "appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform";
            /** @enum {unknown} */
            operator: "in" | "not_in";
            value: string[];
        } | {
            attribute: string;
            /** @enum {unknown} */
            operator: "eq" | "neq";
            value: string | (number | boolean);
        } | {
            attribute: string;
            /** @enum {unknown} */
            operator: "in" | "not_in";
            value: (string | (number | boolean))[];
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "contains" | "starts_with" | "ends_with";
            value: string;
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "gt" | "gte" | "lt" | "lte";
            value: number;
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "semver_eq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            value: string;
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "exists" | "not_exists";
            value?: undefined;
        };
        /** @description A number of events, and of their distinct devices. */
        CountView: {
            events: number;
            /** @description Distinct device ids. */
            users: number;
        };
        /** @description The response of POST /projects. */
        CreatedProject: {
            id: string;
            name: string;
            description: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            settings: components["schemas"]["CreatedSettings"];
            api_keys: components["schemas"]["PublicKeys"];
        };
        /** @description The settings that a new project shows. */
        CreatedSettings: {
            platforms: ("ios" | "android")[];
            /** @description The flow of devices outside of all experiments and targeted flows; null when there is none. */
            default_flow_id: string | null;
            analytics_enabled: boolean;
        };
        /** @description The statistics of one day. */
        DayView: {
            /**
             * Format: date
             * @description A UTC day. The days ascend, zeros included; events count on their own day.
             */
            date: string;
            /** @description Distinct device ids. */
            users: number;
            /** @description Users who completed a flow on that day. */
            completions: number;
            /** @description Users who completed, divided by users who started; 0 without a start. */
            completion_rate: number;
            /** @description Users who were first seen on that day; with `include=series`. */
            new_users?: number | null;
            /** @description As in the overview, of the completions of that day; with `include=series`, on days with any. */
            avg_completion_time?: number | null;
        };
        /** @description An event or an exposure of a device that could not be stored. */
        DeadLetterView: {
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            reason: string;
            /** @description The event or the exposure as the edge has accepted it. */
            record: {
                [key: string]: unknown;
            };
        };
        /** @description A page of the data that a project has of a device. */
        DeviceDataView: {
            project_id: string;
            device_id: string;
            /** @description The flow of the QA override; null without one and on later pages. */
            qa_flow_id?: string | null;
            /**
             * @description All exposures; empty on later pages.
             * @default []
             */
            exposures?: components["schemas"]["ExposureView"][];
            /**
             * @description The ids of flows and experiments with a condition that names the device, at most 20; empty on later pages.
             * @default []
             */
            named_in?: string[];
            /**
             * @description Answers are in `properties` of `question_answered`.
             * @default []
             */
            events?: components["schemas"]["EventView"][];
            /** @default [] */
            dead_letters?: components["schemas"]["DeadLetterView"][];
            /** @description The `cursor` of the next page; null on the last page. */
            next?: string | null;
        };
        /** @description The differences of two documents. */
        DiffView: {
            /** @description A version; 0 is an empty document. */
            from: number;
            to: number | "draft";
            changes: components["schemas"]["ChangeView"][];
        };
        /**
         * @description Whether the endpoints of flows and screens change what is live at once, or drafts are the only way.
         * @enum {string}
         */
        DirectWrites: "allowed" | "refused";
        /** @description The document of a flow. Members that are left out have the defaults of POST /flows. */
        DocumentBody: {
            /**
             * @description Must have 1 to 100 characters; white space around it is trimmed
             * @example Welcome
             */
            name: string;
            description?: string | null;
            theme_id?: string | null;
            /**
             * @default {
             *       "percentage": 100,
             *       "conditions": []
             *     }
             * @example {
             *       "conditions": [
             *         {
             *           "attribute": "appVersion",
             *           "operator": "semver_gte",
             *           "value": "2.1.0"
             *         }
             *       ],
             *       "percentage": 50
             *     }
             */
            targeting?: components["schemas"]["TargetingBody"];
            /** @description Values that clients compute, each from answers and the variables before it. */
            variables?: components["schemas"]["Variable"][];
            screens?: components["schemas"]["DocumentScreen"][];
        };
        /** @description A screen of a document. One without an id is new. */
        DocumentScreen: {
            /** @example Hello */
            name?: string | null;
            /**
             * @example {
             *       "title": "Welcome aboard"
             *     }
             */
            content?: {
                [key: string]: unknown;
            };
            /**
             * KnownSettings
             * @description Settings of a screen. Further members are free; a known one that is null is absent.
             * @example {
             *       "layout": "hero"
             *     }
             */
            settings?: {
                /** @description Where the picture and the texts stand. `standard`: one below the other. `hero`: the picture fills the upper half. `cover`: it fills the screen, with the texts on a scrim. `split_top`: it stands on a panel above the texts. `centered`: all in the middle. */
                layout?: components["schemas"]["ScreenLayout"] | null;
                /** @description A single choice goes on by itself when an option is pressed. Arrow keys alone only choose. */
                auto_advance?: boolean | null;
                /** @description A hex colour, `{gradient, angle}` with 2 to 4 hex colours, or `{media_id, overlay, position}`. */
                background?: (string | components["schemas"]["Gradient"] | components["schemas"]["BackgroundPicture"]) | null;
                /** @description The buttons are shown only after so many seconds, from 0 to 30. */
                delay_seconds?: number | null;
                /** @description The screen is completed by itself after so many seconds, from 0 to 30. 0: it stays. A question waits for its answer. */
                auto_advance_seconds?: number | null;
                /** @description The app is asked before the flow goes on: its step hook lets the screen pass, or not. */
                await_app?: boolean | null;
                /** @description So long the app may take to answer, from 0 to 15 seconds. 3 without it. */
                await_seconds?: number | null;
                /** @description What happens if the app does not answer in time. `next` without it. */
                await_default?: components["schemas"]["AwaitDefault"] | null;
                /** @description Only an answer of the app lets the screen pass: no time, no error, no missing function, and no Skip. A browser without the app waits. It outranks `await_default` and `fallback`. */
                required?: boolean | null;
                /** @description What stands in place of a native screen without an app that draws it. `skip`, also without it: it is passed over. `stop`: the flow waits and says so. `screen`: its own title, text and button. */
                fallback?: components["schemas"]["NativeFallback"] | null;
            } & {
                [key: string]: unknown;
            };
            /** @description All must hold, or the screen is passed over. Empty: it is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description The first rule whose conditions all hold names the next screen; else it is the one behind. */
            next?: components["schemas"]["ScreenRuleBody"][];
            /**
             * @description Translations of texts of the content, by language and by the JSON pointer of the text. Items of lists are named by their `value`, `product_id` or `name`, else by their places.
             * @example {
             *       "de": {
             *         "/title": {
             *           "source": "Welcome aboard",
             *           "text": "Willkommen an Bord"
             *         }
             *       }
             *     }
             */
            localizations?: {
                [key: string]: {
                    [key: string]: string | components["schemas"]["Translation"];
                };
            };
            id?: string | null;
            type: components["schemas"]["ScreenType"];
        };
        /** @description A screen of a document; its place in the list is its order. */
        DocumentScreenView: {
            content: {
                [key: string]: unknown;
            };
            settings: {
                [key: string]: unknown;
            };
            /** @description Left out where the screen is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description Left out where the next screen is the one behind. */
            next?: components["schemas"]["ScreenRuleView"][];
            /** @description Translations, by language and by the JSON pointer of the text. Left out where there are none. */
            localizations?: {
                [key: string]: {
                    [key: string]: components["schemas"]["TranslationView"];
                };
            };
            id: string;
            type: string;
            name: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description The targeting of a document. */
        DocumentTargeting: {
            percentage: number;
            conditions: components["schemas"]["Condition"][];
        } & {
            [key: string]: unknown;
        };
        /** @description The document of a flow: all of its content, without status, default, priority and statistics. */
        DocumentView: {
            name: string;
            description: string | null;
            /** @description The theme of its screens; null for the default theme of the project, or the app's own looks. */
            theme_id: string | null;
            /** @description Values that clients compute. Left out where there are none. */
            variables?: components["schemas"]["Variable"][];
            targeting: components["schemas"]["DocumentTargeting"];
            screens: components["schemas"]["DocumentScreenView"][];
        } & {
            [key: string]: unknown;
        };
        /** @description PUT /flows/{flow_id}/draft. */
        DraftBody: {
            /** @description The version that the draft was begun from; by default the live one. */
            base_version?: number | null;
            /**
             * @example {
             *       "name": "Welcome",
             *       "screens": [
             *         {
             *           "content": {
             *             "title": "Welcome aboard"
             *           },
             *           "name": "Hello",
             *           "settings": {},
             *           "type": "welcome"
             *         }
             *       ]
             *     }
             */
            document: components["schemas"]["DocumentBody"];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly approvals?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly flow_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly live_version?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly required_approvals?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly theme_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_by?: unknown;
        };
        /** @description The draft of a flow. Its entity tag covers the document and the base version. */
        DraftView: {
            base_version: number;
            /** @description The newest version; above `base_version` the draft is stale. */
            live_version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            updated_by: string;
            approvals: components["schemas"]["ApprovalView"][];
            required_approvals: number;
            flow_id: string;
            document: components["schemas"]["DocumentView"];
        };
        /** @description A body without members, which may be left out. */
        EmptyBody: {
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description The users and days that an experiment needs, by the last 28 days of the project. */
        EstimateView: {
            /** @description The distinct users of these days, divided by their number. */
            users_per_day: number;
            /** @description The share of these users with the primary event; null without users. */
            baseline_rate: number | null;
            /** @description For a power of 80 % at the level of 5 %; null where no number of users is enough. */
            users_per_variant: number | null;
            /** @description Until the variant with the fewest users has so many; null without users. */
            days: number | null;
        };
        /**
         * @description The platforms that an event may have.
         * @enum {string}
         */
        EventPlatform: "ios" | "android";
        /** @description An event as it was sent; `timestamp` is its own time, `received_at` when the service got it. */
        EventView: {
            event_id: string;
            event_type: string;
            device_id: string;
            flow_id: string | null;
            screen_id: string | null;
            experiment_id: string | null;
            variant: string | null;
            session_id: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            timestamp: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            received_at: string;
            /** @enum {unknown} */
            platform: "ios" | "android" | null;
            app_version: string | null;
            /** @description Left out where it was not given. */
            locale?: string | null;
            properties: {
                [key: string]: unknown;
            };
        };
        /** @description POST /experiments/{experiment_id}/complete; the body may be left out. */
        ExperimentCompleteBody: {
            /** @example short */
            winner?: string | null;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description POST /experiments. */
        ExperimentCreateBody: {
            /** @example With fewer screens more users complete the flow */
            hypothesis?: string | null;
            /**
             * @default {
             *       "conditions": []
             *     }
             * @example {
             *       "conditions": [
             *         {
             *           "attribute": "appVersion",
             *           "operator": "semver_gte",
             *           "value": "2.1.0"
             *         }
             *       ]
             *     }
             */
            audience?: components["schemas"]["AudienceBody"];
            /**
             * @default 100
             * @example 50
             */
            traffic_percentage?: number;
            /** @default flow_completed */
            primary_event?: string;
            /**
             * @description `project_id` is another spelling; send one of the two.
             * @example proj_01h455vb4pex5vsknk084sn02q
             */
            projectId: string;
            /**
             * @description Must have 1 to 100 characters; white space around it is trimmed
             * @example Shorter
             */
            name: string;
            /**
             * @example [
             *       {
             *         "flow_id": "flow_01h455vb4pex5vsknk084sn02q",
             *         "is_control": true,
             *         "key": "control",
             *         "name": "As it is",
             *         "weight": 50
             *       },
             *       {
             *         "flow_id": "flow_01h455vb4pex5vsknk084sn02r",
             *         "key": "short",
             *         "name": "Shorter",
             *         "weight": 50
             *       }
             *     ]
             */
            variants: components["schemas"]["VariantBody"][];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly ended_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly started_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly status?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly winner?: unknown;
        };
        /**
         * @description The members of listed experiments that are left out unless they are requested.
         * @enum {string}
         */
        ExperimentPart: "users";
        /** @description The results of an experiment; the variants are in its own order. */
        ExperimentResultsView: {
            experiment_id: string;
            status: components["schemas"]["ExperimentStatus"];
            primary_event: string;
            /** @description Devices with exposures to exactly one variant. */
            users: number;
            /** @description Devices with exposures to several variants; they are left out elsewhere. */
            excluded_multiple_variants: number;
            srm: components["schemas"]["SampleRatioView"];
            variants: components["schemas"]["VariantResultView"][];
            /** @description Days with users, ascending; with `include=series`. */
            days?: components["schemas"]["ResultDayView"][] | null;
        };
        /**
         * @description A draft is started; what runs is paused and started again; both are completed, which is the end.
         * @enum {string}
         */
        ExperimentStatus: "draft" | "running" | "paused" | "completed";
        /** @description PUT /experiments/{experiment_id}; absent members stay as they are. */
        ExperimentUpdateBody: {
            /** @example With fewer screens more users complete the flow */
            hypothesis?: string | null;
            /**
             * @example {
             *       "conditions": [
             *         {
             *           "attribute": "appVersion",
             *           "operator": "semver_gte",
             *           "value": "2.1.0"
             *         }
             *       ]
             *     }
             */
            audience?: components["schemas"]["AudienceBody"];
            /** @example 50 */
            traffic_percentage?: number;
            primary_event?: string;
            /** @description Must have 1 to 100 characters; white space around it is trimmed */
            name?: string;
            /**
             * @example [
             *       {
             *         "flow_id": "flow_01h455vb4pex5vsknk084sn02q",
             *         "is_control": true,
             *         "key": "control",
             *         "name": "As it is",
             *         "weight": 50
             *       },
             *       {
             *         "flow_id": "flow_01h455vb4pex5vsknk084sn02r",
             *         "key": "short",
             *         "name": "Shorter",
             *         "weight": 50
             *       }
             *     ]
             */
            variants?: components["schemas"]["VariantBody"][];
            reset_assignments?: boolean;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly ended_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly started_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly status?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly winner?: unknown;
        };
        /** @description An experiment. */
        ExperimentView: {
            id: string;
            project_id: string;
            name: string;
            hypothesis: string | null;
            /** @description Devices enter running experiments only; paused ones keep devices that send their token. */
            status: components["schemas"]["ExperimentStatus"];
            audience: components["schemas"]["AudienceView"];
            /** @description The share of the audience that takes part, in per cent; raising it moves no device that does. */
            traffic_percentage: number;
            variants: components["schemas"]["VariantView"][];
            /** @description The event type that counts as a conversion. */
            primary_event: string;
            /** @description The key of the variant whose flow became the default; null without one. */
            winner: string | null;
            /** @description The time of the first start; null for a draft. */
            started_at: string | null;
            ended_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
        };
        /** @description The flow of a device, and the rules that were evaluated. */
        ExplanationView: {
            flow_id: string | null;
            source: components["schemas"]["Source"] | null;
            experiment_id: string | null;
            variant: string | null;
            steps: components["schemas"]["StepView"][];
        };
        /** @description The first time that a device was given a flow, by a variant of an experiment or by none. */
        ExposureView: {
            flow_id: string;
            experiment_id: string | null;
            variant: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            exposed_at: string;
            platform: string | null;
        };
        /**
         * @description The formats of a file of translations.
         * @enum {string}
         */
        FileFormat: "csv" | "json" | "xliff";
        /**
         * @description The subject of a flow template.
         * @enum {string}
         */
        FlowCategory: "business" | "education" | "engagement" | "essentials" | "finance" | "health" | "news" | "shopping" | "social";
        /** @description POST /flows. */
        FlowCreateBody: {
            /**
             * @description Must have 1 to 100 characters; white space around it is trimmed
             * @example Welcome
             */
            name: string;
            description?: string | null;
            /** @description `themeId` is another spelling; send one of the two. */
            theme_id?: string | null;
            /**
             * @default {
             *       "percentage": 100,
             *       "conditions": []
             *     }
             * @example {
             *       "conditions": [
             *         {
             *           "attribute": "appVersion",
             *           "operator": "semver_gte",
             *           "value": "2.1.0"
             *         }
             *       ],
             *       "percentage": 50
             *     }
             */
            targeting?: components["schemas"]["TargetingBody"];
            /** @description Values that clients compute, each from answers and the variables before it. */
            variables?: components["schemas"]["Variable"][];
            /**
             * @default draft
             * @example active
             */
            status?: components["schemas"]["FlowStatus"];
            /** @default 0 */
            priority?: number;
            /** @default false */
            is_default?: boolean;
            /**
             * @description `project_id` is another spelling; send one of the two.
             * @example proj_01h455vb4pex5vsknk084sn02q
             */
            projectId: string;
            /**
             * @example [
             *       {
             *         "content": {
             *           "title": "Welcome aboard"
             *         },
             *         "name": "Hello",
             *         "settings": {},
             *         "type": "welcome"
             *       }
             *     ]
             */
            screens?: components["schemas"]["ScreenInFlowBody"][];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description PUT /projects/{project_id}/flows/order. */
        FlowOrderBody: {
            /**
             * @example [
             *       "flow_01h455vb4pex5vsknk084sn02q"
             *     ]
             */
            flow_ids: string[];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description The order of evaluation of a project's flows. */
        FlowOrderView: {
            /** @description The flows that are not archived, the first one first. */
            flow_ids: string[];
        };
        /**
         * @description The members of flows that are left out unless they are requested.
         * @enum {string}
         */
        FlowPart: "draft";
        /** @description The statistics of one flow. */
        FlowPerformanceView: {
            flow_id: string;
            flow_name: string | null;
            /** @description Users of the flow in the period, by which the list descends. */
            users: number;
            /** @description Users who completed, divided by users who started; 0 without a start. */
            completion_rate: number;
        };
        /** @description The priority that a flow has got. */
        FlowPriorityView: {
            id: string;
            priority: number;
        };
        /** @description The statistics of a flow. */
        FlowStatsView: {
            /** @description Its flow_started events; a device may start it again. */
            total_views: number;
            /** @description Users who completed, divided by users who started; 0 without a start. */
            completion_rate: number;
        };
        /**
         * @description The status of a flow; any may become any other.
         * @enum {string}
         */
        FlowStatus: "draft" | "active" | "archived";
        /** @description A built-in flow template. */
        FlowTemplateView: {
            id: string;
            name: string;
            category: components["schemas"]["FlowCategory"];
            description: string;
            /** @description The document of a draft, and the body of POST /flows without the project; its ids are always new. */
            document: {
                [key: string]: unknown;
            };
            /** @description The body of POST /themes, without the project. */
            theme: {
                [key: string]: unknown;
            };
        };
        /** @description PUT /flows/{flow_id}; absent members stay as they are. */
        FlowUpdateBody: {
            /** @description Must have 1 to 100 characters; white space around it is trimmed */
            name?: string;
            description?: string | null;
            /** @description `themeId` is another spelling; send one of the two. */
            theme_id?: string | null;
            /**
             * @example {
             *       "conditions": [
             *         {
             *           "attribute": "appVersion",
             *           "operator": "semver_gte",
             *           "value": "2.1.0"
             *         }
             *       ],
             *       "percentage": 50
             *     }
             */
            targeting?: components["schemas"]["TargetingBody"];
            /** @description Values that clients compute, each from answers and the variables before it. */
            variables?: components["schemas"]["Variable"][];
            /** @example active */
            status?: components["schemas"]["FlowStatus"];
            priority?: number;
            is_default?: boolean;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly screens?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A flow. */
        FlowView: {
            name: string;
            description: string | null;
            /** @description The theme of its screens; null for the default theme of the project, or the app's own looks. */
            theme_id: string | null;
            /** @description Values that clients compute. Left out where there are none. */
            variables?: components["schemas"]["Variable"][];
            id: string;
            project_id: string;
            /** @description Devices get active flows only, but for variants of experiments and QA devices. */
            status: components["schemas"]["FlowStatus"];
            /** @description Whether it is the project's default flow. */
            is_default: boolean;
            /** @description Flows with a higher priority are evaluated first. */
            priority: number;
            targeting: components["schemas"]["TargetingView"];
            screens: components["schemas"]["ScreenSummary"][];
            stats: components["schemas"]["FlowStatsView"];
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
        };
        /** @description A flow whose screens have content and settings. */
        FlowViewWithContent: {
            name: string;
            description: string | null;
            /** @description The theme of its screens; null for the default theme of the project, or the app's own looks. */
            theme_id: string | null;
            /** @description Values that clients compute. Left out where there are none. */
            variables?: components["schemas"]["Variable"][];
            id: string;
            project_id: string;
            /** @description Devices get active flows only, but for variants of experiments and QA devices. */
            status: components["schemas"]["FlowStatus"];
            /** @description Whether it is the project's default flow. */
            is_default: boolean;
            /** @description Flows with a higher priority are evaluated first. */
            priority: number;
            targeting: components["schemas"]["TargetingView"];
            screens: components["schemas"]["ScreenWithContent"][];
            stats: components["schemas"]["FlowStatsView"];
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            /** @description Whether there is a draft beside it; with `include=draft`. */
            has_draft?: boolean | null;
            /** @description The number of the live version; with `include=draft`, unless it has none yet. */
            version?: number | null;
        };
        /** @description The part of an image that stays in sight where it is cut. */
        FocalPoint: {
            x: number;
            y: number;
        };
        /** @description The funnel of one screen. */
        FunnelScreenView: {
            screen_id: string;
            type: components["schemas"]["ScreenType"];
            name: string | null;
            /** @description The place in its flow: 0..n-1 without gaps. */
            order: number;
            /** @description Users with a screen_viewed or screen_completed of the screen. */
            reached: number;
            /** @description Users with a screen_completed of the screen. */
            completed: number;
            /** @description Users who reached and did not complete it. */
            drop_off: number;
            /** @description The same per user who reached it. */
            drop_off_rate: number;
            /** @description Users who reached it per user who started the flow in the period; 0 without a start. */
            entered_from_start_rate: number;
            /** @description From first view to first completion; null when there is none. */
            median_seconds: number | null;
        };
        /** @description The funnel of a flow and its screens; `variants` is null without `experimentId`. */
        FunnelView: {
            flow_id: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description Users with a flow_started of the flow; a user is a distinct device id. */
            started: number;
            /** @description Users with a flow_completed of the flow. */
            completed: number;
            /** @description Users who completed, divided by users who started; 0 without a start. */
            completion_rate: number;
            screens: components["schemas"]["FunnelScreenView"][];
            variants: components["schemas"]["VariantFunnelView"][] | null;
        };
        /** @description A gradient along a line; the angle is in degrees as in CSS: 0 leads up, 90 to the right. */
        Gradient: {
            gradient: string[];
            /** @default 180 */
            angle?: number;
        };
        /**
         * @description The dimension by which rows are grouped.
         * @enum {string}
         */
        GroupBy: "day" | "event_type" | "flow" | "screen" | "variant" | "platform" | "locale";
        /** @description The result of an import. */
        ImportView: {
            /** @description Translations that have changed. */
            imported: number;
            unchanged: number;
            skipped: components["schemas"]["SkippedText"][];
        };
        /** @description An experiment, with `include=users` also the number of its users. */
        ListedExperimentView: {
            id: string;
            project_id: string;
            name: string;
            hypothesis: string | null;
            /** @description Devices enter running experiments only; paused ones keep devices that send their token. */
            status: components["schemas"]["ExperimentStatus"];
            audience: components["schemas"]["AudienceView"];
            /** @description The share of the audience that takes part, in per cent; raising it moves no device that does. */
            traffic_percentage: number;
            variants: components["schemas"]["VariantView"][];
            /** @description The event type that counts as a conversion. */
            primary_event: string;
            /** @description The key of the variant whose flow became the default; null without one. */
            winner: string | null;
            /** @description The time of the first start; null for a draft. */
            started_at: string | null;
            ended_at: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            /** @description Devices that were given a variant, or several; with `include=users`. */
            users?: number | null;
        };
        /** @description A flow, with `include=draft` also the state of its draft. */
        ListedFlowView: {
            name: string;
            description: string | null;
            /** @description The theme of its screens; null for the default theme of the project, or the app's own looks. */
            theme_id: string | null;
            /** @description Values that clients compute. Left out where there are none. */
            variables?: components["schemas"]["Variable"][];
            id: string;
            project_id: string;
            /** @description Devices get active flows only, but for variants of experiments and QA devices. */
            status: components["schemas"]["FlowStatus"];
            /** @description Whether it is the project's default flow. */
            is_default: boolean;
            /** @description Flows with a higher priority are evaluated first. */
            priority: number;
            targeting: components["schemas"]["TargetingView"];
            screens: components["schemas"]["ScreenSummary"][];
            stats: components["schemas"]["FlowStatsView"];
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            /** @description Whether there is a draft beside it; with `include=draft`. */
            has_draft?: boolean | null;
            /** @description The number of the live version; with `include=draft`, unless it has none yet. */
            version?: number | null;
        };
        /** @description A screen in a list, which leaves out large content and settings. */
        ListedScreenView: {
            id: string;
            type: components["schemas"]["ScreenType"];
            name: string | null;
            /** @description The place in its flow: 0..n-1 without gaps. */
            order: number;
            content: {
                [key: string]: unknown;
            };
            settings: {
                [key: string]: unknown;
            };
            /** @description Left out where the screen is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description Left out where the next screen is the one behind. */
            next?: components["schemas"]["ScreenRuleView"][];
            /** @description Translations, by language and by the JSON pointer of the text. Left out where there are none. */
            localizations?: {
                [key: string]: {
                    [key: string]: components["schemas"]["TranslationView"];
                };
            };
            flow_id: string;
            project_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            /** @description True where large content or settings are left out: read the screen by its id. */
            content_omitted?: boolean | null;
        };
        /** @description The settings that a list shows. */
        ListedSettings: {
            platforms: ("ios" | "android")[];
            /** @description The flow of devices outside of all experiments and targeted flows; null when there is none. */
            default_flow_id: string | null;
        };
        /** @description The statistics that a list shows. */
        ListedStats: {
            /** @description Flows of any status. */
            total_flows: number;
            /** @description Flows whose status is active. */
            active_flows: number;
            /** @description Users ever seen, by an event or a resolution. */
            total_users: number;
        };
        /**
         * @description One condition on a device, an answer or a variable; all of a list must hold. A missing value fails every operator but `not_exists`, `neq` and `not_in`.
         * @example {
         *       "attribute": "answers.goal",
         *       "operator": "eq",
         *       "value": "lose"
         *     }
         */
        LogicCondition: {
            /** @enum {unknown} */
            attribute: "appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform";
            /** @enum {unknown} */
            operator: "eq" | "neq";
            value: string;
        } | {
            /** @enum {unknown} */
            attribute: "appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform";
            /** @enum {unknown} */
            operator: "in" | "not_in";
            value: string[];
        } | {
            attribute: string;
            /** @enum {unknown} */
            operator: "eq" | "neq";
            value: string | (number | boolean);
        } | {
            attribute: string;
            /** @enum {unknown} */
            operator: "in" | "not_in";
            value: (string | (number | boolean))[];
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "contains" | "starts_with" | "ends_with";
            value: string;
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "gt" | "gte" | "lt" | "lte";
            value: number;
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "semver_eq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            value: string;
        } | {
            attribute: ("appVersion" | "country" | "deviceId" | "locale" | "osVersion" | "platform") | string;
            /** @enum {unknown} */
            operator: "exists" | "not_exists";
            value?: undefined;
        };
        /** @description The result of a machine translation of missing texts. */
        MachineDraftView: {
            /** @description Texts that have a translation now. It is marked until it is confirmed. */
            translated: number;
            skipped: components["schemas"]["SkippedText"][];
            /** @description Missing texts that one request does not take; repeat it for them. */
            left: number;
        };
        /**
         * @description The kind of a media file, which decides where it may be used.
         * @enum {string}
         */
        MediaKind: "image" | "animation" | "lottie" | "video" | "font";
        /** @description A media file of the project, with an alternative text of its own if the file's own one does not fit. */
        MediaName: {
            media_id: string;
            /**
             * @description Must have at most 300 characters; white space around it is trimmed
             * @default
             */
            alt?: string;
        };
        /** @description PUT /media/{media_id}; absent members stay as they are, null removes a partner or the focal point. */
        MediaUpdateBody: {
            /** @description Must have 1 to 100 characters; white space around it is trimmed */
            name?: string;
            /** @description Must have at most 300 characters; white space around it is trimmed */
            alt?: string;
            dark_media_id?: string | null;
            poster_media_id?: string | null;
            focal_point?: components["schemas"]["FocalPoint"] | null;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly bytes?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly content_type?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_by?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly duration_seconds?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly family?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly height?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly kind?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly metrics?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly placeholder_color?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly poster_url?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly renditions?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly style?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly tones?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly url?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly uses?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly weight?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly width?: unknown;
        };
        /** @description A media file. */
        MediaView: {
            id: string;
            project_id: string;
            name: string;
            alt: string;
            kind: components["schemas"]["MediaKind"];
            content_type: string;
            /** @description Of the file at `url`. */
            bytes: number;
            /** @description Of the uploaded file, in pixels. Fonts have none. */
            width: number | null;
            height: number | null;
            /** @description Of animations and videos. */
            duration_seconds: number | null;
            /** @description Of fonts, like `weight` and `style`. */
            family: string | null;
            weight: number | null;
            style: string | null;
            /** @description The file that dark pages show instead. */
            dark_media_id: string | null;
            /** @description The still picture of a video. */
            poster_media_id: string | null;
            focal_point: {
                [key: string]: number;
            } | null;
            url: string;
            /** @description The kept files, the smallest first. */
            renditions: components["schemas"]["Rendition"][];
            placeholder_color: string | null;
            /** @description The darkest and the lightest part of an image, where they are known. */
            tones: string[] | null;
            /** @description The measures of a font, by which a page reserves its space. */
            metrics: {
                [key: string]: unknown;
            } | null;
            /** @description Of a file that is read by its id. */
            uses?: components["schemas"]["UsesView"] | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            created_by: string | null;
        };
        /** @description POST /projects/{project_id}/members: exactly one of `user_id` and `email`. */
        MemberAddBody: {
            /** @example bob@example.com */
            email?: string | null;
            user_id?: string | null;
            /** @example editor */
            role: components["schemas"]["Role"];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly from_groups?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly name?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        } & ({
            user_id: string;
        } | {
            email: string;
        });
        /** @description PUT /projects/{project_id}/members/{user_id}. */
        MemberUpdateBody: {
            /** @example editor */
            role: components["schemas"]["Role"];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly email?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly from_groups?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly name?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly user_id?: unknown;
        };
        /** @description A member of a project. */
        MemberView: {
            user_id: string;
            email: string | null;
            name: string | null;
            role: components["schemas"]["Role"];
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * @description True: groups of the identity provider have made the membership, and change it.
             * @default false
             */
            from_groups?: boolean;
        };
        /**
         * @description What stands in place of a native screen that the app does not draw.
         * @enum {string}
         */
        NativeFallback: "skip" | "stop" | "screen";
        /** @description The distribution of numbers; percentiles are interpolated. */
        NumbersView: {
            mean: number;
            median: number;
            p10: number;
            p90: number;
        };
        /** @description The statistics of the whole period. */
        OverviewView: {
            /** @description Users with any event or exposure in the period. */
            total_users: number;
            /** @description Users who were first seen inside the period. */
            new_users: number;
            /** @description Users who completed, divided by users who started; 0 without a start. */
            completion_rate: number;
            /** @description Seconds from a device's first start of a flow to its first completion after that, on average. */
            avg_completion_time: number;
        };
        /** @description The place of the items in the whole list. */
        Pagination: {
            page: number;
            limit: number;
            /** @description The number of items on all pages. */
            total: number;
            /** @description The number of pages; 0 without an item. */
            totalPages: number;
            /** @description Of the list of events: the `cursor` of the next page, if this page was requested by a cursor, or ended early because it would read too many events. */
            next?: string | null;
        };
        /** @description CSS hex colours by their names, and in `dark` those of dark devices. */
        Palettes: {
            dark?: {
                [key: string]: string;
            };
        } & {
            [key: string]: string;
        };
        /** @description The users who went from one screen to another by one rule. */
        PathLinkView: {
            /** @description null is the start of the flow. */
            from_screen_id: string | null;
            /** @description A screen, `end` (completed the flow) or `left` (no later screen and no completion). */
            to_screen_id: string;
            /** @description The id of the rule; null is the order of the screens. */
            rule: string | null;
            /** @description Distinct device ids, each by its first visit of the screen in the period. */
            users: number;
            /** @description Those of the users who completed the flow. */
            completed: number;
        };
        /** @description A screen of the paths of a flow. */
        PathScreenView: {
            screen_id: string;
            name: string | null;
            type: components["schemas"]["ScreenType"];
            /** @description The place in its flow: 0..n-1 without gaps. */
            order: number;
            /** @description Users with a screen_viewed or screen_completed of the screen. */
            reached: number;
        };
        /** @description The paths of the users through a flow: its screens in order, and its links by users descending. */
        PathsView: {
            flow_id: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description Users with a flow_started of the flow; a user is a distinct device id. */
            started: number;
            /** @description Those of them with a flow_completed of the flow. */
            completed: number;
            screens: components["schemas"]["PathScreenView"][];
            /** @description The 5000 with the most users. */
            links: components["schemas"]["PathLinkView"][];
        };
        /**
         * @description The periods that can be requested.
         * @enum {string}
         */
        Period: "1d" | "7d" | "30d" | "90d";
        /** @description POST /flows/{flow_id}/preview-link; every member may be left out, and so may the body. */
        PreviewLinkBody: {
            /**
             * @description Whether the page shows the draft. Without a draft it shows the live flow.
             * @default true
             */
            draft?: boolean;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A link to a hosted page that shows a flow and records nothing. */
        PreviewLinkView: {
            /**
             * @description A page of the edge, for a browser or a QR code. Everyone with the link can see the flow.
             * @example https://edge.example.com/s/kwGoY.../onboarding/flow_01h455vb4pex5vsknk084sn02q/1
             */
            url: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            expires_at: string;
        };
        /** @description An error or a warning of a document. */
        ProblemView: {
            /** @description A JSON pointer in which screens are named by their ids. */
            field: string;
            code: string;
            message: string;
        };
        /**
         * @description The form of the progress at the top.
         * @enum {string}
         */
        ProgressStyle: "bar" | "steps" | "dots" | "none";
        /** @description POST /projects. */
        ProjectCreateBody: {
            /**
             * @description Must have 3 to 50 characters; white space around it is trimmed
             * @example Sample app
             */
            name: string;
            /** @example An app */
            description?: string | null;
            /**
             * @example [
             *       "ios",
             *       "android"
             *     ]
             */
            platforms?: ("ios" | "android")[];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description All keys of a project. */
        ProjectKeysView: {
            project_id: string;
            /** @description Identifies the project in an app; it is not a credential. */
            public_key: string;
            /** @description The active secret keys, the newest first. */
            secret_keys: components["schemas"]["SecretKeyView"][];
        };
        /** @description An item of GET /projects. */
        ProjectListItem: {
            id: string;
            name: string;
            description: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            settings: components["schemas"]["ListedSettings"];
            stats: components["schemas"]["ListedStats"];
        };
        /** @description All settings. */
        ProjectSettings: {
            platforms: ("ios" | "android")[];
            /** @description The flow of devices outside of all experiments and targeted flows; null when there is none. */
            default_flow_id: string | null;
            analytics_enabled: boolean;
            custom_domain: string | null;
            /** @description Whether changes of flows and screens take effect at once, or drafts are the only way. */
            direct_writes: components["schemas"]["DirectWrites"];
            /** @description Approvals that a draft needs before it is published; above 0 direct writes are refused too. */
            required_approvals: number;
            /** @description Whether the answers that users give on hosted pages are reported and kept. They are personal data. */
            record_answers: boolean;
            /** @description The language of the texts in `content`. */
            default_locale: string;
            /** @description The languages of the project, the default first. */
            locales: string[];
        };
        /** @description The `settings` of a PUT; absent members stay as they are. */
        ProjectSettingsBody: {
            platforms?: ("ios" | "android")[];
            default_flow_id?: string | null;
            /** @default true */
            analytics_enabled?: boolean;
            custom_domain?: string | null;
            /** @default allowed */
            direct_writes?: components["schemas"]["DirectWrites"];
            /** @default 0 */
            required_approvals?: number;
            /** @default false */
            record_answers?: boolean;
            /**
             * @description A BCP 47 language tag; it is stored in canonical case
             * @default
             */
            default_locale?: string;
            locales?: string[];
        };
        /** @description All statistics of a project; the rate is a fraction. */
        ProjectStats: {
            /** @description Flows of any status. */
            total_flows: number;
            /** @description Flows whose status is active. */
            active_flows: number;
            /** @description Users ever seen, by an event or a resolution. */
            total_users: number;
            /** @description Users seen today, in UTC. */
            users_today: number;
            /** @description Users who completed, divided by users who started; 0 without a start. */
            completion_rate: number;
        };
        /** @description POST /projects/{project_id}/transfer. */
        ProjectTransferBody: {
            /** @example user_01h455vb4pex5vsknk084sn02q */
            user_id: string;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A text of one of the flows of a project, with its translation. */
        ProjectTranslationRowView: {
            screen_id: string;
            screen_name: string | null;
            /** @description The JSON pointer of the text in the content of its screen. */
            pointer: string;
            /** @description The text in the default language. */
            base: string;
            /** @description The translation; empty where it is missing. */
            text: string;
            state: components["schemas"]["TranslationState"];
            /** @description True for a translation by a machine that is not confirmed yet; else left out. */
            machine?: boolean | null;
            flow_id: string;
            flow_name: string;
        };
        /** @description The translations of all flows of a project that are not archived. The tag is that of their documents. */
        ProjectTranslationsView: {
            /** @description The texts by flow and screen, of one language. */
            rows: components["schemas"]["ProjectTranslationRowView"][];
            /** @description The counts of each language but the default. */
            summary: {
                [key: string]: components["schemas"]["TranslationCounts"];
            };
        };
        /** @description PUT /projects/{project_id}; absent members stay as they are. */
        ProjectUpdateBody: {
            /**
             * @description Must have 3 to 50 characters; white space around it is trimmed
             * @example Sample app
             */
            name?: string;
            description?: string | null;
            /**
             * @example {
             *       "custom_domain": null,
             *       "default_flow_id": "flow_01h455vb4pex5vsknk084sn02q"
             *     }
             */
            settings?: components["schemas"]["ProjectSettingsBody"];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly quotas?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description The response of GET /projects/{project_id}. */
        ProjectView: {
            id: string;
            name: string;
            description: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            settings: components["schemas"]["ProjectSettings"];
            stats: components["schemas"]["ProjectStats"];
            quotas: components["schemas"]["UsedQuotasView"];
            api_keys: components["schemas"]["PublicKeys"];
        };
        /** @description The configuration of an SDK besides the secret key. */
        PublicKeys: {
            project_id: string;
            /** @description Identifies the project in an app; it is not a credential. */
            public_key: string;
        };
        /** @description POST /flows/{flow_id}/publish; every member may be left out, and so may the body. */
        PublishBody: {
            /** @example Shorter welcome */
            note?: string | null;
            /** @default false */
            ignore_warnings?: boolean;
            /**
             * @description Whether the flow's status becomes active too.
             * @default false
             */
            activate?: boolean;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description PUT /projects/{project_id}/qa-devices. */
        QaDevicesBody: {
            /**
             * @example {
             *       "device-1": "flow_01h455vb4pex5vsknk084sn02q"
             *     }
             */
            devices: {
                [key: string]: string | {
                    flow_id: string;
                    draft: boolean;
                };
            };
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description The QA devices of a project. */
        QaDevicesView: {
            project_id: string;
            devices: {
                [key: string]: string | components["schemas"]["QaDraftView"];
            };
        };
        /** @description The flow of a QA device, and whether it gets the flow's draft. */
        QaDraftView: {
            flow_id: string;
            draft: boolean;
        };
        QaFlow: [
            string,
            boolean | null
        ];
        /** @description The answers to one question; it has one of `distribution`, `numbers` and `samples`. */
        QuestionView: {
            screen_id: string;
            question: string | null;
            question_type: components["schemas"]["ScreenType"];
            /** @description The newest answer of each device and session, without empty ones. */
            answers: number;
            /** @description Of choices and pickers, by count: at most 1000. An answer with several values counts for each. */
            distribution?: components["schemas"]["ValueCountView"][] | null;
            /** @description Of texts, and of pickers of a number, a height or a weight, if all answers are numbers. */
            numbers?: components["schemas"]["NumbersView"] | null;
            /** @description The newest 100 texts, each up to 1000 characters. */
            samples?: string[] | null;
        };
        /** @description A file that is kept of a picture. */
        Rendition: {
            url: string;
            content_type: string;
            width: number | null;
            height: number | null;
            bytes: number;
        };
        /** @description The answers to the questions of a flow, in the order of its screens. */
        ResponsesView: {
            flow_id: string;
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            questions: components["schemas"]["QuestionView"][];
        };
        /** @description POST .../versions/{number}/restore; every member may be left out, and so may the body. */
        RestoreBody: {
            /** @default live */
            to?: components["schemas"]["RestoreTarget"];
            note?: string | null;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /**
         * @description The target of a restoration.
         * @enum {string}
         */
        RestoreTarget: "live" | "draft";
        /** @description The results of the users of one day. */
        ResultDayView: {
            /** Format: date */
            date: string;
            variants: components["schemas"]["VariantDayView"][];
        };
        /**
         * @description The parts of results that are left out unless they are requested.
         * @enum {string}
         */
        ResultsPart: "series";
        /**
         * @description The roles in a project, from the least to the most.
         * @enum {string}
         */
        Role: "viewer" | "editor" | "admin" | "owner";
        /** @description POST /projects/{project_id}/api-keys/rotate; every member may be left out, and so may the body. */
        RotationBody: {
            /**
             * @default 86400
             * @example 3600
             */
            grace_period_seconds?: number;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /**
         * @description The kinds of rules. Flows that are for everyone are evaluated after the default, all others before it.
         * @enum {string}
         */
        Rule: "override" | "experiment" | "flow" | "default";
        /** @description The check that users are distributed by the weights. */
        SampleRatioView: {
            /** @description Chi-square test of the users against the weights; null below 100 users. */
            p_value: number | null;
            /** @description Whether `p_value` is below 0.001: then the results cannot be trusted. */
            mismatch: boolean;
        };
        /**
         * @description The change that a schedule makes.
         * @enum {string}
         */
        ScheduleAction: "publish" | "restore" | "activate" | "archive";
        /** @description POST /flows/{flow_id}/schedules. */
        ScheduleBody: {
            /** @example activate */
            action: components["schemas"]["ScheduleAction"];
            /** @description The version to restore; of a restore only. */
            version?: number | null;
            /**
             * @description Whether a publication or a restore makes the flow's status active too.
             * @default false
             */
            activate?: boolean;
            /**
             * Format: date-time
             * @example 2027-01-04T09:00:00Z
             */
            run_at: string;
            note?: string | null;
            /** @default false */
            ignore_warnings?: boolean;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /**
         * @description A schedule leaves `pending` once, and never returns to it.
         * @enum {string}
         */
        ScheduleState: "pending" | "done" | "failed" | "cancelled";
        /** @description A change of a flow at a time. */
        ScheduleView: {
            id: string;
            flow_id: string;
            action: components["schemas"]["ScheduleAction"];
            version: number | null;
            /** @description Whether a publication or a restore makes the flow's status active too. */
            activate: boolean;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            run_at: string;
            note: string | null;
            /** @description What would fail a pending schedule if it ran now. */
            void_reason: components["schemas"]["VoidReason"] | null;
            state: components["schemas"]["ScheduleState"];
            /** @description Why it failed, such as `missed` or `draft_changed`. */
            error: string | null;
            created_by: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            ended_at: string | null;
        };
        /** @description POST /screens. */
        ScreenCreateBody: {
            /** @example Hello */
            name?: string | null;
            /**
             * @example {
             *       "title": "Welcome aboard"
             *     }
             */
            content?: {
                [key: string]: unknown;
            };
            /**
             * KnownSettings
             * @description Settings of a screen. Further members are free; a known one that is null is absent.
             * @example {
             *       "layout": "hero"
             *     }
             */
            settings?: {
                /** @description Where the picture and the texts stand. `standard`: one below the other. `hero`: the picture fills the upper half. `cover`: it fills the screen, with the texts on a scrim. `split_top`: it stands on a panel above the texts. `centered`: all in the middle. */
                layout?: components["schemas"]["ScreenLayout"] | null;
                /** @description A single choice goes on by itself when an option is pressed. Arrow keys alone only choose. */
                auto_advance?: boolean | null;
                /** @description A hex colour, `{gradient, angle}` with 2 to 4 hex colours, or `{media_id, overlay, position}`. */
                background?: (string | components["schemas"]["Gradient"] | components["schemas"]["BackgroundPicture"]) | null;
                /** @description The buttons are shown only after so many seconds, from 0 to 30. */
                delay_seconds?: number | null;
                /** @description The screen is completed by itself after so many seconds, from 0 to 30. 0: it stays. A question waits for its answer. */
                auto_advance_seconds?: number | null;
                /** @description The app is asked before the flow goes on: its step hook lets the screen pass, or not. */
                await_app?: boolean | null;
                /** @description So long the app may take to answer, from 0 to 15 seconds. 3 without it. */
                await_seconds?: number | null;
                /** @description What happens if the app does not answer in time. `next` without it. */
                await_default?: components["schemas"]["AwaitDefault"] | null;
                /** @description Only an answer of the app lets the screen pass: no time, no error, no missing function, and no Skip. A browser without the app waits. It outranks `await_default` and `fallback`. */
                required?: boolean | null;
                /** @description What stands in place of a native screen without an app that draws it. `skip`, also without it: it is passed over. `stop`: the flow waits and says so. `screen`: its own title, text and button. */
                fallback?: components["schemas"]["NativeFallback"] | null;
            } & {
                [key: string]: unknown;
            };
            /** @description All must hold, or the screen is passed over. Empty: it is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description The first rule whose conditions all hold names the next screen; else it is the one behind. */
            next?: components["schemas"]["ScreenRuleBody"][];
            /**
             * @description Translations of texts of the content, by language and by the JSON pointer of the text. Items of lists are named by their `value`, `product_id` or `name`, else by their places.
             * @example {
             *       "de": {
             *         "/title": {
             *           "source": "Welcome aboard",
             *           "text": "Willkommen an Bord"
             *         }
             *       }
             *     }
             */
            localizations?: {
                [key: string]: {
                    [key: string]: string | components["schemas"]["Translation"];
                };
            };
            /**
             * @description `flow_id` is another spelling; send one of the two.
             * @example flow_01h455vb4pex5vsknk084sn02q
             */
            flowId: string;
            /** @example welcome */
            type: components["schemas"]["ScreenType"];
            /** @example 0 */
            order?: number | null;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A screen inside POST /flows. Its place is that in the list, so an `order` of its own is ignored. */
        ScreenInFlowBody: {
            /** @example Hello */
            name?: string | null;
            /**
             * @example {
             *       "title": "Welcome aboard"
             *     }
             */
            content?: {
                [key: string]: unknown;
            };
            /**
             * KnownSettings
             * @description Settings of a screen. Further members are free; a known one that is null is absent.
             * @example {
             *       "layout": "hero"
             *     }
             */
            settings?: {
                /** @description Where the picture and the texts stand. `standard`: one below the other. `hero`: the picture fills the upper half. `cover`: it fills the screen, with the texts on a scrim. `split_top`: it stands on a panel above the texts. `centered`: all in the middle. */
                layout?: components["schemas"]["ScreenLayout"] | null;
                /** @description A single choice goes on by itself when an option is pressed. Arrow keys alone only choose. */
                auto_advance?: boolean | null;
                /** @description A hex colour, `{gradient, angle}` with 2 to 4 hex colours, or `{media_id, overlay, position}`. */
                background?: (string | components["schemas"]["Gradient"] | components["schemas"]["BackgroundPicture"]) | null;
                /** @description The buttons are shown only after so many seconds, from 0 to 30. */
                delay_seconds?: number | null;
                /** @description The screen is completed by itself after so many seconds, from 0 to 30. 0: it stays. A question waits for its answer. */
                auto_advance_seconds?: number | null;
                /** @description The app is asked before the flow goes on: its step hook lets the screen pass, or not. */
                await_app?: boolean | null;
                /** @description So long the app may take to answer, from 0 to 15 seconds. 3 without it. */
                await_seconds?: number | null;
                /** @description What happens if the app does not answer in time. `next` without it. */
                await_default?: components["schemas"]["AwaitDefault"] | null;
                /** @description Only an answer of the app lets the screen pass: no time, no error, no missing function, and no Skip. A browser without the app waits. It outranks `await_default` and `fallback`. */
                required?: boolean | null;
                /** @description What stands in place of a native screen without an app that draws it. `skip`, also without it: it is passed over. `stop`: the flow waits and says so. `screen`: its own title, text and button. */
                fallback?: components["schemas"]["NativeFallback"] | null;
            } & {
                [key: string]: unknown;
            };
            /** @description All must hold, or the screen is passed over. Empty: it is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description The first rule whose conditions all hold names the next screen; else it is the one behind. */
            next?: components["schemas"]["ScreenRuleBody"][];
            /**
             * @description Translations of texts of the content, by language and by the JSON pointer of the text. Items of lists are named by their `value`, `product_id` or `name`, else by their places.
             * @example {
             *       "de": {
             *         "/title": {
             *           "source": "Welcome aboard",
             *           "text": "Willkommen an Bord"
             *         }
             *       }
             *     }
             */
            localizations?: {
                [key: string]: {
                    [key: string]: string | components["schemas"]["Translation"];
                };
            };
            /** @description A name for `go_to` of the rules of this request; the screen gets an id of its own. */
            id?: unknown;
            type: components["schemas"]["ScreenType"];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly flowId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly flow_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly order?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /**
         * @description The arrangement of a screen.
         * @enum {string}
         */
        ScreenLayout: "standard" | "hero" | "cover" | "split_top" | "centered";
        /** @description PUT /flows/{flow_id}/screens/order. */
        ScreenOrderBody: {
            /**
             * @example [
             *       "screen_01h455vb4pex5vsknk084sn02q"
             *     ]
             */
            screen_ids: string[];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A rule that leads from a screen to a later one. */
        ScreenRuleBody: {
            id?: string | null;
            /** @description Without a condition the rule always holds. */
            when: components["schemas"]["LogicCondition"][];
            /** @description The id of a later screen, or `end`. */
            go_to: string;
        };
        /** @description A rule that leads from a screen to a later one. */
        ScreenRuleView: {
            id: string;
            when: components["schemas"]["LogicCondition"][];
            go_to: string;
        };
        /** @description A screen inside a flow. */
        ScreenSummary: {
            id: string;
            type: components["schemas"]["ScreenType"];
            name: string | null;
            /** @description The place in its flow: 0..n-1 without gaps. */
            order: number;
        };
        /** @description A built-in screen template. */
        ScreenTemplateView: {
            id: string;
            type: components["schemas"]["ScreenType"];
            name: string;
            category: components["schemas"]["TemplateCategory"];
            default_content: {
                [key: string]: unknown;
            };
        };
        /** @description PUT /screens/{screen_id}; absent members stay as they are. */
        ScreenUpdateBody: {
            /** @example Hello */
            name?: string | null;
            /**
             * @example {
             *       "title": "Welcome aboard"
             *     }
             */
            content?: {
                [key: string]: unknown;
            };
            /**
             * KnownSettings
             * @description Settings of a screen. Further members are free; a known one that is null is absent.
             * @example {
             *       "layout": "hero"
             *     }
             */
            settings?: {
                /** @description Where the picture and the texts stand. `standard`: one below the other. `hero`: the picture fills the upper half. `cover`: it fills the screen, with the texts on a scrim. `split_top`: it stands on a panel above the texts. `centered`: all in the middle. */
                layout?: components["schemas"]["ScreenLayout"] | null;
                /** @description A single choice goes on by itself when an option is pressed. Arrow keys alone only choose. */
                auto_advance?: boolean | null;
                /** @description A hex colour, `{gradient, angle}` with 2 to 4 hex colours, or `{media_id, overlay, position}`. */
                background?: (string | components["schemas"]["Gradient"] | components["schemas"]["BackgroundPicture"]) | null;
                /** @description The buttons are shown only after so many seconds, from 0 to 30. */
                delay_seconds?: number | null;
                /** @description The screen is completed by itself after so many seconds, from 0 to 30. 0: it stays. A question waits for its answer. */
                auto_advance_seconds?: number | null;
                /** @description The app is asked before the flow goes on: its step hook lets the screen pass, or not. */
                await_app?: boolean | null;
                /** @description So long the app may take to answer, from 0 to 15 seconds. 3 without it. */
                await_seconds?: number | null;
                /** @description What happens if the app does not answer in time. `next` without it. */
                await_default?: components["schemas"]["AwaitDefault"] | null;
                /** @description Only an answer of the app lets the screen pass: no time, no error, no missing function, and no Skip. A browser without the app waits. It outranks `await_default` and `fallback`. */
                required?: boolean | null;
                /** @description What stands in place of a native screen without an app that draws it. `skip`, also without it: it is passed over. `stop`: the flow waits and says so. `screen`: its own title, text and button. */
                fallback?: components["schemas"]["NativeFallback"] | null;
            } & {
                [key: string]: unknown;
            };
            /** @description All must hold, or the screen is passed over. Empty: it is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description The first rule whose conditions all hold names the next screen; else it is the one behind. */
            next?: components["schemas"]["ScreenRuleBody"][];
            /**
             * @description Translations of texts of the content, by language and by the JSON pointer of the text. Items of lists are named by their `value`, `product_id` or `name`, else by their places.
             * @example {
             *       "de": {
             *         "/title": {
             *           "source": "Welcome aboard",
             *           "text": "Willkommen an Bord"
             *         }
             *       }
             *     }
             */
            localizations?: {
                [key: string]: {
                    [key: string]: string | components["schemas"]["Translation"];
                };
            };
            type?: components["schemas"]["ScreenType"];
            order?: number;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly flowId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly flow_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A screen. */
        ScreenView: {
            id: string;
            type: components["schemas"]["ScreenType"];
            name: string | null;
            /** @description The place in its flow: 0..n-1 without gaps. */
            order: number;
            content: {
                [key: string]: unknown;
            };
            settings: {
                [key: string]: unknown;
            };
            /** @description Left out where the screen is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description Left out where the next screen is the one behind. */
            next?: components["schemas"]["ScreenRuleView"][];
            /** @description Translations, by language and by the JSON pointer of the text. Left out where there are none. */
            localizations?: {
                [key: string]: {
                    [key: string]: components["schemas"]["TranslationView"];
                };
            };
            flow_id: string;
            project_id: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
        };
        /** @description A screen inside a flow, with content and settings. */
        ScreenWithContent: {
            id: string;
            type: components["schemas"]["ScreenType"];
            name: string | null;
            /** @description The place in its flow: 0..n-1 without gaps. */
            order: number;
            content: {
                [key: string]: unknown;
            };
            settings: {
                [key: string]: unknown;
            };
            /** @description Left out where the screen is always shown. */
            show_if?: components["schemas"]["LogicCondition"][];
            /** @description Left out where the next screen is the one behind. */
            next?: components["schemas"]["ScreenRuleView"][];
            /** @description Translations, by language and by the JSON pointer of the text. Left out where there are none. */
            localizations?: {
                [key: string]: {
                    [key: string]: components["schemas"]["TranslationView"];
                };
            };
        };
        /** @description An active secret key. */
        SecretKeyView: {
            id: string;
            /** @description The `X-Secret-Key` of SDKs. */
            secret_key: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /** @description The end of the key; null until it is replaced. */
            expires_at: string | null;
            /** @description The time of the last use of the key, at most a minute behind; null before the first. Every public request with the key is a use. */
            last_used_at: string | null;
        };
        /** @description A text of a file that was not imported. */
        SkippedText: {
            key: string;
            reason: string;
        };
        /**
         * @description The space between the parts of a screen.
         * @enum {string}
         */
        Spacing: "compact" | "regular" | "airy";
        /**
         * @description The parts of statistics that are left out unless they are requested.
         * @enum {string}
         */
        StatisticsPart: "series";
        /** @description The statistics of a project in a period. */
        StatisticsView: {
            overview: components["schemas"]["OverviewView"];
            daily_stats: components["schemas"]["DayView"][];
            flow_performance: components["schemas"]["FlowPerformanceView"][];
        };
        /** @description A rule that was evaluated, and its result. */
        StepView: {
            rule: components["schemas"]["Rule"];
            id: string | null;
            /** @description Whether the rule chose the flow. */
            matched: boolean;
            /** @description The reason, for people. */
            reason: string;
        };
        /** @description The `targeting` of a flow; on PUT a member that is absent stays as it is. */
        TargetingBody: {
            /** @default 100 */
            percentage?: number;
            conditions?: components["schemas"]["Condition"][];
        };
        /** @description The `targeting` of a flow; a whole percentage is an integer. */
        TargetingView: {
            /** @description The share of devices that can get it. */
            percentage: number;
            conditions: components["schemas"]["Condition"][];
            /** @description True in a list that leaves out large conditions: read the flow by its id. Absent otherwise. */
            conditions_omitted?: boolean | null;
        };
        /**
         * @description The purpose of a template.
         * @enum {string}
         */
        TemplateCategory: "onboarding" | "permissions" | "account";
        /** @description POST /themes. */
        ThemeCreateBody: {
            appearance?: components["schemas"]["Appearance"] | null;
            /**
             * @description A CSS hex colour, a gradient, or a media file with an overlay of the background's colour.
             * @example {
             *       "angle": 160,
             *       "gradient": [
             *         "#ffd1dc",
             *         "#c1d8ff"
             *       ]
             *     }
             */
            background?: (string | components["schemas"]["Gradient"] | components["schemas"]["BackgroundPicture"]) | null;
            logo?: (components["schemas"]["MediaName"] | string) | null;
            button?: components["schemas"]["Button"] | null;
            choice?: components["schemas"]["ChoiceStyle"] | null;
            progress?: components["schemas"]["ProgressStyle"] | null;
            transition?: components["schemas"]["Transition"] | null;
            spacing?: components["schemas"]["Spacing"] | null;
            description?: string | null;
            /**
             * @example {
             *       "dark": {
             *         "primary": "#aabbcc"
             *       },
             *       "primary": "#112233"
             *     }
             */
            colors?: components["schemas"]["Palettes"];
            typography?: components["schemas"]["Typography"];
            borderRadius?: {
                [key: string]: unknown;
            };
            /** @default false */
            is_default?: boolean;
            /**
             * @description `project_id` is another spelling; send one of the two.
             * @example proj_01h455vb4pex5vsknk084sn02q
             */
            projectId: string;
            /**
             * @description Must have 1 to 50 characters; white space around it is trimmed
             * @example Dark
             */
            name: string;
            /** @example theme_01h455vb4pex5vsknk084sn02q */
            based_on?: string | null;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description The document of a theme. Members that are left out have the defaults of POST /themes. */
        ThemeDocumentBody: {
            appearance?: components["schemas"]["Appearance"] | null;
            /**
             * @description A CSS hex colour, a gradient, or a media file with an overlay of the background's colour.
             * @example {
             *       "angle": 160,
             *       "gradient": [
             *         "#ffd1dc",
             *         "#c1d8ff"
             *       ]
             *     }
             */
            background?: (string | components["schemas"]["Gradient"] | components["schemas"]["BackgroundPicture"]) | null;
            logo?: (components["schemas"]["MediaName"] | string) | null;
            button?: components["schemas"]["Button"] | null;
            choice?: components["schemas"]["ChoiceStyle"] | null;
            progress?: components["schemas"]["ProgressStyle"] | null;
            transition?: components["schemas"]["Transition"] | null;
            spacing?: components["schemas"]["Spacing"] | null;
            description?: string | null;
            /**
             * @example {
             *       "dark": {
             *         "primary": "#aabbcc"
             *       },
             *       "primary": "#112233"
             *     }
             */
            colors?: components["schemas"]["Palettes"];
            typography?: components["schemas"]["Typography"];
            borderRadius?: {
                [key: string]: unknown;
            };
            /**
             * @description Must have 1 to 50 characters; white space around it is trimmed
             * @example Dark
             */
            name: string;
        };
        /** @description The document of a theme: all of it but the mark of the default theme. */
        ThemeDocumentView: {
            name: string;
            description: string | null;
            /** @description CSS hex colours by names of yours; `dark` has those of dark devices. */
            colors: {
                [key: string]: string | {
                    [key: string]: string;
                };
            };
            typography: {
                [key: string]: unknown;
            };
            borderRadius: {
                [key: string]: unknown;
            };
            appearance?: string | null;
            background?: string | {
                [key: string]: unknown;
            } | null;
            logo?: string | {
                [key: string]: unknown;
            } | null;
            button?: {
                [key: string]: unknown;
            } | null;
            choice?: string | null;
            progress?: string | null;
            transition?: string | null;
            spacing?: string | null;
        } & {
            [key: string]: unknown;
        };
        /** @description PUT /themes/{theme_id}/draft. */
        ThemeDraftBody: {
            /** @description The version that the draft was begun from; by default the live one. */
            base_version?: number | null;
            /**
             * @example {
             *       "colors": {
             *         "primary": "#112233"
             *       },
             *       "name": "Dark"
             *     }
             */
            document: components["schemas"]["ThemeDocumentBody"];
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly approvals?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly flow_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly live_version?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly required_approvals?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly theme_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_by?: unknown;
        };
        /** @description The draft of a theme. It needs no approvals (`approvals` is empty): PUT /themes/{theme_id} needs none either. */
        ThemeDraftView: {
            base_version: number;
            /** @description The newest version; above `base_version` the draft is stale. */
            live_version: number;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            updated_by: string;
            approvals: components["schemas"]["ApprovalView"][];
            required_approvals: number;
            theme_id: string;
            document: components["schemas"]["ThemeDocumentView"];
        };
        /** @description POST /themes/{theme_id}/publish; every member may be left out, and so may the body. */
        ThemePublishBody: {
            /** @example Shorter welcome */
            note?: string | null;
            /** @default false */
            ignore_warnings?: boolean;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A built-in theme template. */
        ThemeTemplateView: {
            id: string;
            name: string;
            description: string;
            /** @description The body of POST /themes, without the project. */
            theme: {
                [key: string]: unknown;
            };
        };
        /** @description PUT /themes/{theme_id}; absent members stay as they are. */
        ThemeUpdateBody: {
            appearance?: components["schemas"]["Appearance"] | null;
            /**
             * @description A CSS hex colour, a gradient, or a media file with an overlay of the background's colour.
             * @example {
             *       "angle": 160,
             *       "gradient": [
             *         "#ffd1dc",
             *         "#c1d8ff"
             *       ]
             *     }
             */
            background?: (string | components["schemas"]["Gradient"] | components["schemas"]["BackgroundPicture"]) | null;
            logo?: (components["schemas"]["MediaName"] | string) | null;
            button?: components["schemas"]["Button"] | null;
            choice?: components["schemas"]["ChoiceStyle"] | null;
            progress?: components["schemas"]["ProgressStyle"] | null;
            transition?: components["schemas"]["Transition"] | null;
            spacing?: components["schemas"]["Spacing"] | null;
            description?: string | null;
            /**
             * @example {
             *       "dark": {
             *         "primary": "#aabbcc"
             *       },
             *       "primary": "#112233"
             *     }
             */
            colors?: components["schemas"]["Palettes"];
            typography?: components["schemas"]["Typography"];
            borderRadius?: {
                [key: string]: unknown;
            };
            is_default?: boolean;
            /** @description Must have 1 to 50 characters; white space around it is trimmed */
            name?: string;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly api_keys?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly created_at?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly projectId?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly project_id?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly stats?: unknown;
            /** @description Ignored, so that a response can be edited and sent back. */
            readonly updated_at?: unknown;
        };
        /** @description A version of a theme. */
        ThemeVersionView: {
            number: number;
            origin: components["schemas"]["VersionOrigin"];
            note: string | null;
            restored_from: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /** @description A user; null for a version that the service has made itself. */
            created_by: string | null;
            theme_id: string;
        };
        /** @description A version of a theme with its document. */
        ThemeVersionWithDocument: {
            number: number;
            origin: components["schemas"]["VersionOrigin"];
            note: string | null;
            restored_from: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /** @description A user; null for a version that the service has made itself. */
            created_by: string | null;
            theme_id: string;
            document: components["schemas"]["ThemeDocumentView"];
        };
        /** @description A theme, with `include=draft` also the state of its draft. */
        ThemeView: {
            name: string;
            description: string | null;
            /** @description CSS hex colours by names of yours; `dark` has those of dark devices. */
            colors: {
                [key: string]: string | {
                    [key: string]: string;
                };
            };
            typography: {
                [key: string]: unknown;
            };
            borderRadius: {
                [key: string]: unknown;
            };
            appearance?: string | null;
            background?: string | {
                [key: string]: unknown;
            } | null;
            logo?: string | {
                [key: string]: unknown;
            } | null;
            button?: {
                [key: string]: unknown;
            } | null;
            choice?: string | null;
            progress?: string | null;
            transition?: string | null;
            spacing?: string | null;
            id: string;
            project_id: string;
            is_default: boolean;
            /** @description Whether there is a draft beside it; with `include=draft`. */
            has_draft?: boolean | null;
            /** @description The number of the live version; with `include=draft`. */
            version?: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
        };
        /**
         * @description The movement from one screen to the next.
         * @enum {string}
         */
        Transition: "slide" | "fade" | "lift" | "none";
        /** @description A translated text. A plain string stands for it, too. */
        Translation: {
            text: string;
            /** @description The text of the content that was translated; the present one where it is left out. */
            source?: string | null;
            /** @description Whether a machine has made the translation, and it is not confirmed yet. */
            machine?: boolean | null;
        };
        /** @description The texts of a language by their states. */
        TranslationCounts: {
            total: number;
            done: number;
            missing: number;
            outdated: number;
        };
        /** @description A text with its translation. */
        TranslationRowView: {
            screen_id: string;
            screen_name: string | null;
            /** @description The JSON pointer of the text in the content of its screen. */
            pointer: string;
            /** @description The text in the default language. */
            base: string;
            /** @description The translation; empty where it is missing. */
            text: string;
            state: components["schemas"]["TranslationState"];
            /** @description True for a translation by a machine that is not confirmed yet; else left out. */
            machine?: boolean | null;
        };
        /**
         * @description The state of a translation: an outdated one was made of another base text. It is served.
         * @enum {string}
         */
        TranslationState: "missing" | "outdated" | "done";
        /** @description A translated text, and the text of the content that was translated. */
        TranslationView: {
            text: string;
            source: string;
            /** @description Made by a machine, and not confirmed. */
            machine?: boolean | null;
        };
        /** @description The translations of a flow. */
        TranslationsView: {
            /** @description The texts in the order of the screens, of one language. */
            rows: components["schemas"]["TranslationRowView"][];
            /** @description The counts of each language but the default. */
            summary: {
                [key: string]: components["schemas"]["TranslationCounts"];
            };
        };
        /** @description Fonts and sizes of texts. Further members are stored and sent to apps. */
        Typography: {
            /** @default start */
            align?: components["schemas"]["Align"];
            /** @default 0 */
            letterSpacing?: number;
            weights?: components["schemas"]["Weights"];
            fontMediaId?: string;
            headingFontMediaId?: string;
        } & {
            [key: string]: unknown;
        };
        /** @description The response of PUT /projects/{project_id}. */
        UpdatedProject: {
            id: string;
            name: string;
            description: string | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            updated_at: string;
            settings: components["schemas"]["ProjectSettings"];
        };
        /** @description A flow or a theme that uses a file. */
        UseView: {
            id: string;
            name: string;
        };
        /** @description The use of a quota. */
        UsedQuota: {
            used: number;
            limit: number;
        };
        /** @description The use of a project's quotas on this UTC day, some seconds behind. */
        UsedQuotasView: {
            /**
             * Format: date-time
             * @description The next midnight in UTC, when the quotas are free again.
             * @example 2026-11-20T19:12:03.123Z
             */
            resets_at: string;
            /** @description New events. Above a quota, requests with events get 429 until midnight. */
            events: components["schemas"]["UsedQuota"];
            /** @description Bytes of the properties of these events, as JSON. */
            property_bytes: components["schemas"]["UsedQuota"];
            /** @description Devices that were seen for the first time. */
            new_devices: components["schemas"]["UsedQuota"];
        };
        /** @description The calling user. Address and name come from the identity provider, and are null if it has none. */
        UserView: {
            id: string;
            email: string | null;
            name: string | null;
        };
        /** @description Up to 20 flows and as many themes that use a file. */
        UsesView: {
            flows: components["schemas"]["UseView"][];
            themes: components["schemas"]["UseView"][];
        };
        /** @description The result of a validation: errors forbid a publication, warnings have to be ignored explicitly. */
        ValidationView: {
            errors: components["schemas"]["ProblemView"][];
            warnings: components["schemas"]["ProblemView"][];
        };
        /** @description A value, and the number of answers with it. */
        ValueCountView: {
            /** @description The value of an option. The parts of a picker's answer are joined by spaces. */
            value: string;
            count: number;
        };
        /** @description A value that clients compute from answers, attributes and earlier variables. */
        Variable: {
            /** @example bmi */
            name: string;
            /** @example answers.weight / pow(answers.height / 100, 2) */
            formula: string;
        };
        /** @description One variant; without a name it is shown by its key. */
        VariantBody: {
            /** @description Must have 1 to 64 characters; white space around it is trimmed */
            key: string;
            name?: string | null;
            flow_id: string;
            weight: number;
            /** @default false */
            is_control?: boolean;
        };
        /** @description The users of a variant who were first exposed on one day, and how many of them have converted since. */
        VariantDayView: {
            key: string;
            users: number;
            conversions: number;
        };
        /** @description The funnel of one variant; null is the variant of events that name none. */
        VariantFunnelView: {
            variant: string | null;
            started: number;
            completed: number;
            /** @description Users who completed, divided by users who started; 0 without a start. */
            completion_rate: number;
            screens: components["schemas"]["FunnelScreenView"][];
        };
        /** @description The results of one variant; comparisons of the control with itself, and rates of no users, are null. */
        VariantResultView: {
            key: string;
            is_control: boolean;
            /** @description Devices with an exposure to this variant and to no other. */
            users: number;
            /** @description Users with an event of the experiment's primary_event at or after their exposure. */
            conversions: number;
            /** @description Conversions per user. */
            rate: number | null;
            /** @description Low and high end of the 95 % interval (Wilson). */
            rate_interval: [
                number,
                number
            ] | null;
            /** @description The rate divided by that of the control, minus 1; null without conversions of the control. */
            lift: number | null;
            /** @description Low and high end of the 95 % interval (Koopman's score interval). */
            lift_interval: [
                number,
                number
            ] | null;
            /** @description Two-sided z-test of two proportions: valid for one look at a time chosen beforehand. */
            p_value: number | null;
            /** @description Valid at every look, however many, and for all variants together. */
            sequential_p_value: number | null;
            /** @description The probability that the true rate is above that of the control (Beta-Binomial, uniform priors). */
            probability_to_beat_control: number | null;
        };
        /** @description A variant of an experiment. */
        VariantView: {
            key: string;
            name: string;
            flow_id: string;
            /** @description Per cent; the weights of all variants sum to 100. */
            weight: number;
            is_control: boolean;
        };
        /**
         * @description The kind of change that made a version.
         * @enum {string}
         */
        VersionOrigin: "created" | "direct" | "published" | "restored" | "scheduled";
        /** @description A version of a flow. */
        VersionView: {
            number: number;
            origin: components["schemas"]["VersionOrigin"];
            note: string | null;
            restored_from: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /** @description A user; null for a version that the service has made itself. */
            created_by: string | null;
            flow_id: string;
        };
        /** @description A version with its document. */
        VersionWithDocument: {
            number: number;
            origin: components["schemas"]["VersionOrigin"];
            note: string | null;
            restored_from: number | null;
            /**
             * Format: date-time
             * @example 2026-11-20T19:12:03.123Z
             */
            created_at: string;
            /** @description A user; null for a version that the service has made itself. */
            created_by: string | null;
            flow_id: string;
            document: components["schemas"]["DocumentView"];
        };
        /**
         * @description What would fail a pending schedule if it ran now.
         * @enum {string}
         */
        VoidReason: "draft_changed" | "conflict" | "approvals_missing";
        /** @description The weights of texts, as in CSS. */
        Weights: {
            heading?: number;
            body?: number;
        };
    };
    responses: {
        /** @description A member, parameter or header is missing or wrong, or the request is malformed. */
        PublicBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "MISSING_PARAMETER" | "INVALID_PARAMETER";
                    /** @constant */
                    status: 400;
                };
            };
        };
        /** @description No credential, or one that is not valid. */
        PublicUnauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAUTHORIZED";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description Too many requests in this hour. */
        PublicRateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "RATE_LIMITED";
                    /** @constant */
                    status: 429;
                };
            };
        };
        /** @description A defect of the service. */
        PublicInternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INTERNAL_ERROR";
                    /** @constant */
                    status: 500;
                };
            };
        };
        /** @description The service cannot do it safely now; nothing was done. */
        PublicUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAVAILABLE";
                    /** @constant */
                    status: 503;
                };
            };
        };
        /** @description The body is larger than this endpoint accepts. */
        PublicPayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "PAYLOAD_TOO_LARGE";
                    /** @constant */
                    status: 413;
                };
            };
        };
        /** @description The body is not declared as `application/json`. */
        PublicUnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNSUPPORTED_MEDIA_TYPE";
                    /** @constant */
                    status: 415;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        PublicInvalidFlowNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_FLOW";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        PublicThingNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Config-Version": components["headers"]["X-Config-Version"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "NOT_FOUND";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description A member, parameter or header is missing or wrong, or the request is malformed. */
        BadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "MISSING_PARAMETER" | "INVALID_PARAMETER";
                    /** @constant */
                    status: 400;
                };
            };
        };
        /** @description No credential, or one that is not valid. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAUTHORIZED";
                    /** @constant */
                    status?: 401;
                };
            };
        };
        /** @description A known credential that may not do this. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "FORBIDDEN";
                    /** @constant */
                    status: 403;
                };
            };
        };
        /** @description Too many requests in this hour. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "RATE_LIMITED";
                    /** @constant */
                    status: 429;
                };
            };
        };
        /** @description The service cannot do it safely now; nothing was done. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNAVAILABLE";
                    /** @constant */
                    status: 503;
                };
            };
        };
        /** @description A defect of the service. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INTERNAL_ERROR";
                    /** @constant */
                    status: 500;
                };
            };
        };
        /** @description The body is larger than this endpoint accepts. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "PAYLOAD_TOO_LARGE";
                    /** @constant */
                    status: 413;
                };
            };
        };
        /** @description The body is not declared as `application/json`. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "UNSUPPORTED_MEDIA_TYPE";
                    /** @constant */
                    status: 415;
                };
            };
        };
        /** @description The state forbids it, or the `Idempotency-Key` was used for another request. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "CONFLICT";
                    /** @constant */
                    status: 409;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        InvalidProjectNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PROJECT";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        InvalidProjectInvalidFlowNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PROJECT" | "INVALID_FLOW";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description The resource has another `ETag` than `If-Match` demands; nothing was changed. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "PRECONDITION_FAILED";
                    /** @constant */
                    status: 412;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        InvalidProjectThingNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PROJECT" | "NOT_FOUND";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        InvalidFlowNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_FLOW";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        InvalidFlowThingNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_FLOW" | "NOT_FOUND";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        ThingNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "NOT_FOUND";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        InvalidProjectInvalidFlowThingNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INVALID_PROJECT" | "INVALID_FLOW" | "NOT_FOUND";
                    /** @constant */
                    status: 404;
                };
            };
        };
        /** @description A member, parameter or header is missing or wrong, or the request is malformed. */
        UncountedBadRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "MISSING_PARAMETER" | "INVALID_PARAMETER";
                    /** @constant */
                    status: 400;
                };
            };
        };
        /** @description A defect of the service. */
        UncountedInternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "INTERNAL_ERROR";
                    /** @constant */
                    status: 500;
                };
            };
        };
        /** @description It does not exist, or is not visible to this caller: both have the same response. */
        UncountedThingNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    /** @enum {unknown} */
                    code?: "NOT_FOUND";
                    /** @constant */
                    status: 404;
                };
            };
        };
    };
    parameters: {
        /**
         * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
         * @example checkout-42
         */
        XRequestId: string;
        /**
         * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
         * @example "0b6c1d2f3a4e5f60"
         */
        IfMatch: "*" | string;
        /**
         * @description Creates only: where the resource exists, the response is 412, and nothing is changed.
         * @example *
         */
        IfNew: "*";
        /**
         * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
         * @example 3f1c9a52-order-7
         */
        IdempotencyKey: string;
        /**
         * @description The `ETag` that you have; while it is current, the response is 304 without a body.
         * @example "0b6c1d2f3a4e5f60"
         */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request in the logs of the service: yours, if you sent a valid one. */
        "X-Request-Id": string;
        "X-Content-Type-Options": "nosniff";
        /** @description Requests allowed an hour, by the UTC hour. Absent where nothing is counted. */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this hour. */
        "X-RateLimit-Remaining": number;
        /** @description The end of the hour, in Unix seconds. */
        "X-RateLimit-Reset": number;
        /** @description The revision of the project's configuration that was used; it never goes backwards. */
        "X-Config-Version": number;
        /** @description A strong tag of this state of the resource. Send it back as `If-Match` to change only this state. */
        ETag: string;
        /** @description Present on the stored response to an earlier request with the same `Idempotency-Key`. */
        "Idempotency-Replayed": "true";
        /** @description The scheme of the missing or invalid credential. */
        "WWW-Authenticate": "Bearer realm=\"onboarding\"" | "SecretKey realm=\"onboarding\"";
        /** @description Seconds to wait before the next attempt. */
        "Retry-After": number;
        "Cache-Control": string;
        /** @description The request headers on which the response depends. */
        Vary: string;
        /** @description Scripts and styles of the edge alone. */
        "Content-Security-Policy": string;
        /** @description The address holds a credential. */
        "Referrer-Policy": "no-referrer";
        "Accept-Ranges": "bytes";
        "Content-Range": string;
        "Cross-Origin-Resource-Policy": "cross-origin";
        /** @description The name of the file, if the response is CSV. */
        "Content-Disposition": string;
    };
    pathItems: never;
}
export type Error = components['schemas']['Error'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type GlobalConfig = components['schemas']['GlobalConfig'];
export type OfrepBody = components['schemas']['OfrepBody'];
export type OfrepFlag = components['schemas']['OfrepFlag'];
export type ResolveBody = components['schemas']['ResolveBody'];
export type EventBody = components['schemas']['EventBody'];
export type EventBatchBody = components['schemas']['EventBatchBody'];
export type Resolution = components['schemas']['Resolution'];
export type ResolvedFlow = components['schemas']['ResolvedFlow'];
export type PublicTheme = components['schemas']['PublicTheme'];
export type PublicScreen = components['schemas']['PublicScreen'];
export type ScreenType = components['schemas']['ScreenType'];
export type PublicRule = components['schemas']['PublicRule'];
export type PublicVariable = components['schemas']['PublicVariable'];
export type Assignment = components['schemas']['Assignment'];
export type Source = components['schemas']['Source'];
export type Configuration = components['schemas']['Configuration'];
export type ConfiguredSettings = components['schemas']['ConfiguredSettings'];
export type ConfiguredFlow = components['schemas']['ConfiguredFlow'];
export type ConfiguredTargeting = components['schemas']['ConfiguredTargeting'];
export type ConfiguredTheme = components['schemas']['ConfiguredTheme'];
export type ConfiguredExperiment = components['schemas']['ConfiguredExperiment'];
export type ConfiguredAudience = components['schemas']['ConfiguredAudience'];
export type ConfiguredVariant = components['schemas']['ConfiguredVariant'];
export type EventReceipt = components['schemas']['EventReceipt'];
export type UnrecordedEvent = components['schemas']['UnrecordedEvent'];
export type BatchReceipt = components['schemas']['BatchReceipt'];
export type AcceptedEvent = components['schemas']['AcceptedEvent'];
export type RejectedEvent = components['schemas']['RejectedEvent'];
export type EdgeLiveness = components['schemas']['EdgeLiveness'];
export type EdgeReadiness = components['schemas']['EdgeReadiness'];
export type SnapshotHealth = components['schemas']['SnapshotHealth'];
export type EventHealth = components['schemas']['EventHealth'];
export type Align = components['schemas']['Align'];
export type AnalyticsView = components['schemas']['AnalyticsView'];
export type ApiKeyView = components['schemas']['ApiKeyView'];
export type Appearance = components['schemas']['Appearance'];
export type ApprovalView = components['schemas']['ApprovalView'];
export type AudienceBody = components['schemas']['AudienceBody'];
export type AudienceView = components['schemas']['AudienceView'];
export type AuditEntryView = components['schemas']['AuditEntryView'];
export type AuditPart = components['schemas']['AuditPart'];
export type AwaitDefault = components['schemas']['AwaitDefault'];
export type BackgroundPicture = components['schemas']['BackgroundPicture'];
export type Button = components['schemas']['Button'];
export type ButtonShape = components['schemas']['ButtonShape'];
export type ButtonStyle = components['schemas']['ButtonStyle'];
export type ChangeView = components['schemas']['ChangeView'];
export type ChoiceStyle = components['schemas']['ChoiceStyle'];
export type Condition = components['schemas']['Condition'];
export type CountView = components['schemas']['CountView'];
export type CreatedProject = components['schemas']['CreatedProject'];
export type CreatedSettings = components['schemas']['CreatedSettings'];
export type DayView = components['schemas']['DayView'];
export type DeadLetterView = components['schemas']['DeadLetterView'];
export type DeviceDataView = components['schemas']['DeviceDataView'];
export type DiffView = components['schemas']['DiffView'];
export type DirectWrites = components['schemas']['DirectWrites'];
export type DocumentBody = components['schemas']['DocumentBody'];
export type DocumentScreen = components['schemas']['DocumentScreen'];
export type DocumentScreenView = components['schemas']['DocumentScreenView'];
export type DocumentTargeting = components['schemas']['DocumentTargeting'];
export type DocumentView = components['schemas']['DocumentView'];
export type DraftBody = components['schemas']['DraftBody'];
export type DraftView = components['schemas']['DraftView'];
export type EmptyBody = components['schemas']['EmptyBody'];
export type EstimateView = components['schemas']['EstimateView'];
export type EventPlatform = components['schemas']['EventPlatform'];
export type EventView = components['schemas']['EventView'];
export type ExperimentCompleteBody = components['schemas']['ExperimentCompleteBody'];
export type ExperimentCreateBody = components['schemas']['ExperimentCreateBody'];
export type ExperimentPart = components['schemas']['ExperimentPart'];
export type ExperimentResultsView = components['schemas']['ExperimentResultsView'];
export type ExperimentStatus = components['schemas']['ExperimentStatus'];
export type ExperimentUpdateBody = components['schemas']['ExperimentUpdateBody'];
export type ExperimentView = components['schemas']['ExperimentView'];
export type ExplanationView = components['schemas']['ExplanationView'];
export type ExposureView = components['schemas']['ExposureView'];
export type FileFormat = components['schemas']['FileFormat'];
export type FlowCategory = components['schemas']['FlowCategory'];
export type FlowCreateBody = components['schemas']['FlowCreateBody'];
export type FlowOrderBody = components['schemas']['FlowOrderBody'];
export type FlowOrderView = components['schemas']['FlowOrderView'];
export type FlowPart = components['schemas']['FlowPart'];
export type FlowPerformanceView = components['schemas']['FlowPerformanceView'];
export type FlowPriorityView = components['schemas']['FlowPriorityView'];
export type FlowStatsView = components['schemas']['FlowStatsView'];
export type FlowStatus = components['schemas']['FlowStatus'];
export type FlowTemplateView = components['schemas']['FlowTemplateView'];
export type FlowUpdateBody = components['schemas']['FlowUpdateBody'];
export type FlowView = components['schemas']['FlowView'];
export type FlowViewWithContent = components['schemas']['FlowViewWithContent'];
export type FocalPoint = components['schemas']['FocalPoint'];
export type FunnelScreenView = components['schemas']['FunnelScreenView'];
export type FunnelView = components['schemas']['FunnelView'];
export type Gradient = components['schemas']['Gradient'];
export type GroupBy = components['schemas']['GroupBy'];
export type ImportView = components['schemas']['ImportView'];
export type ListedExperimentView = components['schemas']['ListedExperimentView'];
export type ListedFlowView = components['schemas']['ListedFlowView'];
export type ListedScreenView = components['schemas']['ListedScreenView'];
export type ListedSettings = components['schemas']['ListedSettings'];
export type ListedStats = components['schemas']['ListedStats'];
export type LogicCondition = components['schemas']['LogicCondition'];
export type MachineDraftView = components['schemas']['MachineDraftView'];
export type MediaKind = components['schemas']['MediaKind'];
export type MediaName = components['schemas']['MediaName'];
export type MediaUpdateBody = components['schemas']['MediaUpdateBody'];
export type MediaView = components['schemas']['MediaView'];
export type MemberAddBody = components['schemas']['MemberAddBody'];
export type MemberUpdateBody = components['schemas']['MemberUpdateBody'];
export type MemberView = components['schemas']['MemberView'];
export type NativeFallback = components['schemas']['NativeFallback'];
export type NumbersView = components['schemas']['NumbersView'];
export type OverviewView = components['schemas']['OverviewView'];
export type Pagination = components['schemas']['Pagination'];
export type Palettes = components['schemas']['Palettes'];
export type PathLinkView = components['schemas']['PathLinkView'];
export type PathScreenView = components['schemas']['PathScreenView'];
export type PathsView = components['schemas']['PathsView'];
export type Period = components['schemas']['Period'];
export type PreviewLinkBody = components['schemas']['PreviewLinkBody'];
export type PreviewLinkView = components['schemas']['PreviewLinkView'];
export type ProblemView = components['schemas']['ProblemView'];
export type ProgressStyle = components['schemas']['ProgressStyle'];
export type ProjectCreateBody = components['schemas']['ProjectCreateBody'];
export type ProjectKeysView = components['schemas']['ProjectKeysView'];
export type ProjectListItem = components['schemas']['ProjectListItem'];
export type ProjectSettings = components['schemas']['ProjectSettings'];
export type ProjectSettingsBody = components['schemas']['ProjectSettingsBody'];
export type ProjectStats = components['schemas']['ProjectStats'];
export type ProjectTransferBody = components['schemas']['ProjectTransferBody'];
export type ProjectTranslationRowView = components['schemas']['ProjectTranslationRowView'];
export type ProjectTranslationsView = components['schemas']['ProjectTranslationsView'];
export type ProjectUpdateBody = components['schemas']['ProjectUpdateBody'];
export type ProjectView = components['schemas']['ProjectView'];
export type PublicKeys = components['schemas']['PublicKeys'];
export type PublishBody = components['schemas']['PublishBody'];
export type QaDevicesBody = components['schemas']['QaDevicesBody'];
export type QaDevicesView = components['schemas']['QaDevicesView'];
export type QaDraftView = components['schemas']['QaDraftView'];
export type QaFlow = components['schemas']['QaFlow'];
export type QuestionView = components['schemas']['QuestionView'];
export type Rendition = components['schemas']['Rendition'];
export type ResponsesView = components['schemas']['ResponsesView'];
export type RestoreBody = components['schemas']['RestoreBody'];
export type RestoreTarget = components['schemas']['RestoreTarget'];
export type ResultDayView = components['schemas']['ResultDayView'];
export type ResultsPart = components['schemas']['ResultsPart'];
export type Role = components['schemas']['Role'];
export type RotationBody = components['schemas']['RotationBody'];
export type Rule = components['schemas']['Rule'];
export type SampleRatioView = components['schemas']['SampleRatioView'];
export type ScheduleAction = components['schemas']['ScheduleAction'];
export type ScheduleBody = components['schemas']['ScheduleBody'];
export type ScheduleState = components['schemas']['ScheduleState'];
export type ScheduleView = components['schemas']['ScheduleView'];
export type ScreenCreateBody = components['schemas']['ScreenCreateBody'];
export type ScreenInFlowBody = components['schemas']['ScreenInFlowBody'];
export type ScreenLayout = components['schemas']['ScreenLayout'];
export type ScreenOrderBody = components['schemas']['ScreenOrderBody'];
export type ScreenRuleBody = components['schemas']['ScreenRuleBody'];
export type ScreenRuleView = components['schemas']['ScreenRuleView'];
export type ScreenSummary = components['schemas']['ScreenSummary'];
export type ScreenTemplateView = components['schemas']['ScreenTemplateView'];
export type ScreenUpdateBody = components['schemas']['ScreenUpdateBody'];
export type ScreenView = components['schemas']['ScreenView'];
export type ScreenWithContent = components['schemas']['ScreenWithContent'];
export type SecretKeyView = components['schemas']['SecretKeyView'];
export type SkippedText = components['schemas']['SkippedText'];
export type Spacing = components['schemas']['Spacing'];
export type StatisticsPart = components['schemas']['StatisticsPart'];
export type StatisticsView = components['schemas']['StatisticsView'];
export type StepView = components['schemas']['StepView'];
export type TargetingBody = components['schemas']['TargetingBody'];
export type TargetingView = components['schemas']['TargetingView'];
export type TemplateCategory = components['schemas']['TemplateCategory'];
export type ThemeCreateBody = components['schemas']['ThemeCreateBody'];
export type ThemeDocumentBody = components['schemas']['ThemeDocumentBody'];
export type ThemeDocumentView = components['schemas']['ThemeDocumentView'];
export type ThemeDraftBody = components['schemas']['ThemeDraftBody'];
export type ThemeDraftView = components['schemas']['ThemeDraftView'];
export type ThemePublishBody = components['schemas']['ThemePublishBody'];
export type ThemeTemplateView = components['schemas']['ThemeTemplateView'];
export type ThemeUpdateBody = components['schemas']['ThemeUpdateBody'];
export type ThemeVersionView = components['schemas']['ThemeVersionView'];
export type ThemeVersionWithDocument = components['schemas']['ThemeVersionWithDocument'];
export type ThemeView = components['schemas']['ThemeView'];
export type Transition = components['schemas']['Transition'];
export type Translation = components['schemas']['Translation'];
export type TranslationCounts = components['schemas']['TranslationCounts'];
export type TranslationRowView = components['schemas']['TranslationRowView'];
export type TranslationState = components['schemas']['TranslationState'];
export type TranslationView = components['schemas']['TranslationView'];
export type TranslationsView = components['schemas']['TranslationsView'];
export type Typography = components['schemas']['Typography'];
export type UpdatedProject = components['schemas']['UpdatedProject'];
export type UseView = components['schemas']['UseView'];
export type UsedQuota = components['schemas']['UsedQuota'];
export type UsedQuotasView = components['schemas']['UsedQuotasView'];
export type UserView = components['schemas']['UserView'];
export type UsesView = components['schemas']['UsesView'];
export type ValidationView = components['schemas']['ValidationView'];
export type ValueCountView = components['schemas']['ValueCountView'];
export type Variable = components['schemas']['Variable'];
export type VariantBody = components['schemas']['VariantBody'];
export type VariantDayView = components['schemas']['VariantDayView'];
export type VariantFunnelView = components['schemas']['VariantFunnelView'];
export type VariantResultView = components['schemas']['VariantResultView'];
export type VariantView = components['schemas']['VariantView'];
export type VersionOrigin = components['schemas']['VersionOrigin'];
export type VersionView = components['schemas']['VersionView'];
export type VersionWithDocument = components['schemas']['VersionWithDocument'];
export type VoidReason = components['schemas']['VoidReason'];
export type Weights = components['schemas']['Weights'];
export type ResponsePublicBadRequest = components['responses']['PublicBadRequest'];
export type ResponsePublicUnauthorized = components['responses']['PublicUnauthorized'];
export type ResponsePublicRateLimited = components['responses']['PublicRateLimited'];
export type ResponsePublicInternalError = components['responses']['PublicInternalError'];
export type ResponsePublicUnavailable = components['responses']['PublicUnavailable'];
export type ResponsePublicPayloadTooLarge = components['responses']['PublicPayloadTooLarge'];
export type ResponsePublicUnsupportedMediaType = components['responses']['PublicUnsupportedMediaType'];
export type ResponsePublicInvalidFlowNotFound = components['responses']['PublicInvalidFlowNotFound'];
export type ResponsePublicThingNotFound = components['responses']['PublicThingNotFound'];
export type ResponseBadRequest = components['responses']['BadRequest'];
export type ResponseUnauthorized = components['responses']['Unauthorized'];
export type ResponseForbidden = components['responses']['Forbidden'];
export type ResponseRateLimited = components['responses']['RateLimited'];
export type ResponseUnavailable = components['responses']['Unavailable'];
export type ResponseInternalError = components['responses']['InternalError'];
export type ResponsePayloadTooLarge = components['responses']['PayloadTooLarge'];
export type ResponseUnsupportedMediaType = components['responses']['UnsupportedMediaType'];
export type ResponseConflict = components['responses']['Conflict'];
export type ResponseInvalidProjectNotFound = components['responses']['InvalidProjectNotFound'];
export type ResponseInvalidProjectInvalidFlowNotFound = components['responses']['InvalidProjectInvalidFlowNotFound'];
export type ResponsePreconditionFailed = components['responses']['PreconditionFailed'];
export type ResponseInvalidProjectThingNotFound = components['responses']['InvalidProjectThingNotFound'];
export type ResponseInvalidFlowNotFound = components['responses']['InvalidFlowNotFound'];
export type ResponseInvalidFlowThingNotFound = components['responses']['InvalidFlowThingNotFound'];
export type ResponseThingNotFound = components['responses']['ThingNotFound'];
export type ResponseInvalidProjectInvalidFlowThingNotFound = components['responses']['InvalidProjectInvalidFlowThingNotFound'];
export type ResponseUncountedBadRequest = components['responses']['UncountedBadRequest'];
export type ResponseUncountedInternalError = components['responses']['UncountedInternalError'];
export type ResponseUncountedThingNotFound = components['responses']['UncountedThingNotFound'];
export type ParameterXRequestId = components['parameters']['XRequestId'];
export type ParameterIfMatch = components['parameters']['IfMatch'];
export type ParameterIfNew = components['parameters']['IfNew'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderXContentTypeOptions = components['headers']['X-Content-Type-Options'];
export type HeaderXRateLimitLimit = components['headers']['X-RateLimit-Limit'];
export type HeaderXRateLimitRemaining = components['headers']['X-RateLimit-Remaining'];
export type HeaderXRateLimitReset = components['headers']['X-RateLimit-Reset'];
export type HeaderXConfigVersion = components['headers']['X-Config-Version'];
export type HeaderETag = components['headers']['ETag'];
export type HeaderIdempotencyReplayed = components['headers']['Idempotency-Replayed'];
export type HeaderWwwAuthenticate = components['headers']['WWW-Authenticate'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderCacheControl = components['headers']['Cache-Control'];
export type HeaderVary = components['headers']['Vary'];
export type HeaderContentSecurityPolicy = components['headers']['Content-Security-Policy'];
export type HeaderReferrerPolicy = components['headers']['Referrer-Policy'];
export type HeaderAcceptRanges = components['headers']['Accept-Ranges'];
export type HeaderContentRange = components['headers']['Content-Range'];
export type HeaderCrossOriginResourcePolicy = components['headers']['Cross-Origin-Resource-Policy'];
export type HeaderContentDisposition = components['headers']['Content-Disposition'];
export type $defs = Record<string, never>;
export interface operations {
    resolve_flow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deviceId": "device-1",
                 *       "platform": "ios",
                 *       "appVersion": "2.3.0",
                 *       "attributes": {
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ResolveBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolution"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            404: components["responses"]["PublicInvalidFlowNotFound"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    get_config: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you have; while it is current, the response is 304 without a body.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Configuration"];
                };
            };
            /** @description The client has the current configuration. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    track_event: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "eventType": "flow_started",
                 *       "deviceId": "device-1",
                 *       "flowId": "flow_01h455vb4pex5vsknk084sn02q",
                 *       "eventId": "e-1"
                 *     }
                 */
                "application/json": components["schemas"]["EventBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnrecordedEvent"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventReceipt"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            404: components["responses"]["PublicInvalidFlowNotFound"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    list_events: {
        parameters: {
            query: {
                period?: components["schemas"]["Period"];
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                from?: string;
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                to?: string;
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                /** @description `flow_id` is another spelling; send one of the two. */
                flowId?: string;
                /** @description `experiment_id` is another spelling; send one of the two. */
                experimentId?: string;
                /** @description `event_type` is another spelling; send one of the two. */
                eventType?: string;
                platform?: components["schemas"]["EventPlatform"];
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "timestamp" | "updated_at" | "-created_at" | "-timestamp" | "-updated_at";
                /** @description `start`, or `next` of the page before. In place of `page`, whose number makes it slow. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EventView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectInvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    track_events: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "eventType": "screen_viewed",
                 *           "deviceId": "device-1",
                 *           "flowId": "flow_01h455vb4pex5vsknk084sn02q"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EventBatchBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReceipt"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    get_global_config: {
        parameters: {
            query: {
                /** @description A secret key of the project. */
                apiKey: string;
                /** @description The project's id. */
                projectId: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GlobalConfig"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    resolve_flow_by_ticket: {
        parameters: {
            query: {
                /** @description The project's id. */
                projectId: string;
                /** @description The device's own id. */
                deviceId: string;
                /** @description `ios` or `android`. */
                platform?: components["schemas"]["ResolveBody"]["platform"]["anyOf"]["0"];
                /** @description The version of the app. */
                appVersion?: components["schemas"]["ResolveBody"]["appVersion"]["anyOf"]["0"];
                /** @description The version of the operating system. */
                osVersion?: components["schemas"]["ResolveBody"]["osVersion"]["anyOf"]["0"];
                /** @description A BCP 47 language tag. The page takes its language from it. */
                locale?: components["schemas"]["ResolveBody"]["locale"]["anyOf"]["0"];
                /** @description An ISO 3166-1 alpha-2 code. */
                country?: components["schemas"]["ResolveBody"]["country"]["anyOf"]["0"];
                /** @description A flat object as JSON. */
                attributes?: string;
                /** @description The token of a former resolve, which keeps the device in its variant. */
                assignmentToken?: components["schemas"]["ResolveBody"]["assignmentToken"]["anyOf"]["0"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @description The ticket, from `GET /api/global-config`, or of a preview link. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolution"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            404: components["responses"]["PublicInvalidFlowNotFound"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    get_page: {
        parameters: {
            query?: {
                /** @description The device's own id. */
                deviceId?: string;
                /** @description `ios` or `android`. */
                platform?: string;
                /** @description The version of the app. */
                appVersion?: string;
                /** @description The version of the operating system. */
                osVersion?: string;
                /** @description A BCP 47 language tag. The page takes its language from it. */
                locale?: string;
                /** @description An ISO 3166-1 alpha-2 code. */
                country?: string;
                /** @description A flat object as JSON. */
                attributes?: string;
                /** @description The token of a former resolve, which keeps the device in its variant. */
                assignmentToken?: string;
                /** @description `1` for one document without links to assets, which an app keeps. */
                stored?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @description The ticket, from `GET /api/global-config`, or of a preview link. */
                ticket: string;
                /** @description The flow's id. */
                flow_id: string;
                /** @description The number of a screen, from 1. */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    Vary: components["headers"]["Vary"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The address is malformed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The ticket is not valid, or has expired. */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description There is no such page. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Too many requests in this hour. */
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A defect of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The page cannot be shown now, or is not ready yet. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    track_events_by_ticket: {
        parameters: {
            query?: {
                /** @description `ios` or `android`. */
                platform?: string;
                /** @description The version of the app. */
                appVersion?: string;
                /** @description The version of the operating system. */
                osVersion?: string;
                /** @description A BCP 47 language tag. The page takes its language from it. */
                locale?: string;
                /** @description An ISO 3166-1 alpha-2 code. */
                country?: string;
                /** @description A flat object as JSON. */
                attributes?: string;
                /** @description The token of a former resolve, which keeps the device in its variant. */
                assignmentToken?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @description The ticket, from `GET /api/global-config`, or of a preview link. */
                ticket: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "events": [
                 *         {
                 *           "eventType": "screen_viewed",
                 *           "deviceId": "device-1",
                 *           "flowId": "flow_01h455vb4pex5vsknk084sn02q"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["EventBatchBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BatchReceipt"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    get_page_asset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @description `{name}.{hash}.js`, `.css` or `.svg`. */
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The asset, compressed by `Accept-Encoding`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    Vary: components["headers"]["Vary"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": string;
                    "text/css": string;
                    "image/svg+xml": string;
                };
            };
            /** @description The address is malformed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description There is no such page. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A defect of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The page cannot be shown now, or is not ready yet. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    get_media_file: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @description The project's id. */
                project_id: string;
                /** @description `{32 hexadecimal digits}.{extension}`. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/svg+xml": string;
                    "application/json": unknown;
                    "video/mp4": string;
                    "video/webm": string;
                    "font/woff2": string;
                };
            };
            /** @description The bytes of the range. */
            206: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/svg+xml": string;
                    "application/json": unknown;
                    "video/mp4": string;
                    "video/webm": string;
                    "font/woff2": string;
                };
            };
            /** @description The client has the file. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicBadRequest"];
            404: components["responses"]["PublicThingNotFound"];
            /** @description The range has no byte of the file. */
            416: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    ETag: components["headers"]["ETag"];
                    "Accept-Ranges": components["headers"]["Accept-Ranges"];
                    "Cross-Origin-Resource-Policy": components["headers"]["Cross-Origin-Resource-Policy"];
                    "Content-Range": components["headers"]["Content-Range"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    get_preview_shell: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The shell. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The address is malformed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description There is no such page. */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description A defect of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The page cannot be shown now, or is not ready yet. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Content-Security-Policy": components["headers"]["Content-Security-Policy"];
                    "Referrer-Policy": components["headers"]["Referrer-Policy"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    evaluate_flag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description One of `onboarding`, `onboarding.flow-id`, `onboarding.enabled`, `onboarding.variant`.
                 * @example onboarding
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "context": {
                 *         "targetingKey": "device-1",
                 *         "platform": "ios",
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OfrepBody"];
            };
        };
        responses: {
            /** @description The flag. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfrepFlag"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            404: components["responses"]["PublicThingNotFound"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    api_evaluate_flag: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description One of `onboarding`, `onboarding.flow-id`, `onboarding.enabled`, `onboarding.variant`.
                 * @example onboarding
                 */
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "context": {
                 *         "targetingKey": "device-1",
                 *         "platform": "ios",
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OfrepBody"];
            };
        };
        responses: {
            /** @description The flag. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OfrepFlag"];
                };
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            404: components["responses"]["PublicThingNotFound"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    evaluate_flags: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you have; while it is current, the response is 304 without a body.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "context": {
                 *         "targetingKey": "device-1",
                 *         "platform": "ios",
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OfrepBody"];
            };
        };
        responses: {
            /** @description The flags. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        flags: components["schemas"]["OfrepFlag"][];
                        metadata: Record<string, never>;
                    };
                };
            };
            /** @description The client has these values. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    api_evaluate_flags: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` that you have; while it is current, the response is 304 without a body.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "context": {
                 *         "targetingKey": "device-1",
                 *         "platform": "ios",
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["OfrepBody"];
            };
        };
        responses: {
            /** @description The flags. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        flags: components["schemas"]["OfrepFlag"][];
                        metadata: Record<string, never>;
                    };
                };
            };
            /** @description The client has these values. */
            304: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Cache-Control": components["headers"]["Cache-Control"];
                    "X-Config-Version": components["headers"]["X-Config-Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["PublicBadRequest"];
            401: components["responses"]["PublicUnauthorized"];
            413: components["responses"]["PublicPayloadTooLarge"];
            415: components["responses"]["PublicUnsupportedMediaType"];
            429: components["responses"]["PublicRateLimited"];
            500: components["responses"]["PublicInternalError"];
            503: components["responses"]["PublicUnavailable"];
        };
    };
    list_projects: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
                /** @description Must have at most 200 characters; white space around it is trimmed */
                search?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProjectListItem"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_project: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sample app",
                 *       "description": "An app",
                 *       "platforms": [
                 *         "ios",
                 *         "android"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ProjectCreateBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["CreatedProject"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_project: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProjectView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_project: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Sample app",
                 *       "settings": {
                 *         "custom_domain": null,
                 *         "default_flow_id": "flow_01h455vb4pex5vsknk084sn02q"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProjectUpdateBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UpdatedProject"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectInvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_project: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_project_statistics: {
        parameters: {
            query?: {
                period?: components["schemas"]["Period"];
                /** @description `series`: each day has `new_users` and `avg_completion_time` too. */
                include?: components["schemas"]["StatisticsPart"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["StatisticsView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_project_keys: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProjectKeysView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_project_key: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "grace_period_seconds": 3600
                 *     }
                 */
                "application/json": components["schemas"]["RotationBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProjectKeysView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_members: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemberView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_member: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "bob@example.com",
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["MemberAddBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemberView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectThingNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_member: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example user_01h455vb4pex5vsknk084sn02q
                 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemberView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_member: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example user_01h455vb4pex5vsknk084sn02q
                 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "editor"
                 *     }
                 */
                "application/json": components["schemas"]["MemberUpdateBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemberView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example user_01h455vb4pex5vsknk084sn02q
                 */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    transfer_project: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "user_id": "user_01h455vb4pex5vsknk084sn02q"
                 *     }
                 */
                "application/json": components["schemas"]["ProjectTransferBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MemberView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectThingNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_audit_log: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "updated_at" | "-created_at" | "-updated_at";
                /** @description `names`: each entry has `entity_name` and `user_name` too. */
                include?: components["schemas"]["AuditPart"];
                /** @description Only entries from this time on. */
                since?: string;
                /** @description Only changes of this kind of object, such as `flow`. */
                entity_type?: string;
                /** @description Only changes of this user. */
                user_id?: string;
                /** @description A part of the name that the object has or had at the change, or its whole id. */
                search?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AuditEntryView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_qa_devices: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["QaDevicesView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    replace_qa_devices: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "devices": {
                 *         "device-1": "flow_01h455vb4pex5vsknk084sn02q"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["QaDevicesBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["QaDevicesView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectInvalidFlowNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_project_translations: {
        parameters: {
            query?: {
                /** @description The language of the rows; without it there are none. */
                locale?: string;
                state?: components["schemas"]["TranslationState"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ProjectTranslationsView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_project_translations: {
        parameters: {
            query: {
                /** @description A BCP 47 language tag; it is stored in canonical case */
                locale: string;
                format?: components["schemas"]["FileFormat"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                    "application/json": unknown;
                    "application/xliff+xml": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    import_project_translations: {
        parameters: {
            query: {
                /** @description A BCP 47 language tag; it is stored in canonical case */
                locale: string;
            };
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/json": string;
                "application/xliff+xml": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ImportView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_flow_order: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowOrderView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    order_flows: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "flow_ids": [
                 *         "flow_01h455vb4pex5vsknk084sn02q"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FlowOrderBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowPriorityView"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    explain_resolution: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "deviceId": "device-1",
                 *       "platform": "ios",
                 *       "appVersion": "2.3.0",
                 *       "attributes": {
                 *         "plan": "pro"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ResolveBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExplanationView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    erase_device: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description The device's own id, percent-encoded.
                 * @example device-1
                 */
                device_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_device: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                cursor?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example proj_01h455vb4pex5vsknk084sn02q
                 */
                project_id: string;
                /**
                 * @description The device's own id, percent-encoded.
                 * @example device-1
                 */
                device_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DeviceDataView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_flows: {
        parameters: {
            query: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "evaluation_order" | "name" | "updated_at" | "-created_at" | "-evaluation_order" | "-name" | "-updated_at";
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                status?: components["schemas"]["FlowStatus"];
                /** @description Must have at most 200 characters; white space around it is trimmed */
                search?: string;
                /** @description `draft`: each flow has `has_draft` and `version` too. */
                include?: components["schemas"]["FlowPart"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ListedFlowView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_flow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Welcome",
                 *       "targeting": {
                 *         "conditions": [
                 *           {
                 *             "attribute": "appVersion",
                 *             "operator": "semver_gte",
                 *             "value": "2.1.0"
                 *           }
                 *         ],
                 *         "percentage": 50
                 *       },
                 *       "status": "active",
                 *       "projectId": "proj_01h455vb4pex5vsknk084sn02q",
                 *       "screens": [
                 *         {
                 *           "content": {
                 *             "title": "Welcome aboard"
                 *           },
                 *           "name": "Hello",
                 *           "settings": {},
                 *           "type": "welcome"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["FlowCreateBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectThingNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_flow: {
        parameters: {
            query?: {
                /** @description `draft`: the flow has `has_draft` and `version` too. */
                include?: components["schemas"]["FlowPart"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowViewWithContent"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_flow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "targeting": {
                 *         "conditions": [
                 *           {
                 *             "attribute": "appVersion",
                 *             "operator": "semver_gte",
                 *             "value": "2.1.0"
                 *           }
                 *         ],
                 *         "percentage": 50
                 *       },
                 *       "status": "active"
                 *     }
                 */
                "application/json": components["schemas"]["FlowUpdateBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_flow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    duplicate_flow: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    order_screens: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "screen_ids": [
                 *         "screen_01h455vb4pex5vsknk084sn02q"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ScreenOrderBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DraftView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    put_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Creates only: where the resource exists, the response is 412, and nothing is changed.
                 * @example *
                 */
                "If-None-Match"?: components["parameters"]["IfNew"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "document": {
                 *         "name": "Welcome",
                 *         "screens": [
                 *           {
                 *             "content": {
                 *               "title": "Welcome aboard"
                 *             },
                 *             "name": "Hello",
                 *             "settings": {},
                 *             "type": "welcome"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DraftBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DraftView"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DraftView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    diff_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DiffView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    validate_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ValidationView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    approve_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DraftView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publish_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Shorter welcome"
                 *     }
                 */
                "application/json": components["schemas"]["PublishBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VersionWithDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_preview_link: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["PreviewLinkBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PreviewLinkView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revoke_preview_links: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_translations: {
        parameters: {
            query?: {
                /** @description The language of the rows; without it there are none. */
                locale?: string;
                state?: components["schemas"]["TranslationState"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["TranslationsView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_translations: {
        parameters: {
            query: {
                /** @description A BCP 47 language tag; it is stored in canonical case */
                locale: string;
                format?: components["schemas"]["FileFormat"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": unknown;
                    "application/json": unknown;
                    "application/xliff+xml": unknown;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    import_translations: {
        parameters: {
            query: {
                /** @description A BCP 47 language tag; it is stored in canonical case */
                locale: string;
            };
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
                "application/json": string;
                "application/xliff+xml": string;
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ImportView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    draft_translations: {
        parameters: {
            query: {
                /** @description A BCP 47 language tag; it is stored in canonical case */
                locale: string;
            };
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MachineDraftView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_versions: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "-created_at";
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VersionView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_version: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VersionWithDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    diff_version: {
        parameters: {
            query?: {
                against?: number;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DiffView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restore_version: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Creates only: where the resource exists, the response is 412, and nothing is changed.
                 * @example *
                 */
                "If-None-Match"?: components["parameters"]["IfNew"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RestoreBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DraftView"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["VersionWithDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_schedules: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "run_at" | "-created_at" | "-run_at";
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ScheduleView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_schedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "action": "activate",
                 *       "run_at": "2027-01-04T09:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["ScheduleBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ScheduleView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancel_schedule: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example flow_01h455vb4pex5vsknk084sn02q
                 */
                flow_id: string;
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example sched_01h455vb4pex5vsknk084sn02q
                 */
                schedule_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_screens: {
        parameters: {
            query: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "order" | "updated_at" | "-created_at" | "-name" | "-order" | "-updated_at";
                /** @description `flow_id` is another spelling; send one of the two. */
                flowId: string;
                type?: components["schemas"]["ScreenType"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ListedScreenView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_screen: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Hello",
                 *       "content": {
                 *         "title": "Welcome aboard"
                 *       },
                 *       "settings": {
                 *         "layout": "hero"
                 *       },
                 *       "localizations": {
                 *         "de": {
                 *           "/title": {
                 *             "source": "Welcome aboard",
                 *             "text": "Willkommen an Bord"
                 *           }
                 *         }
                 *       },
                 *       "flowId": "flow_01h455vb4pex5vsknk084sn02q",
                 *       "type": "welcome",
                 *       "order": 0
                 *     }
                 */
                "application/json": components["schemas"]["ScreenCreateBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ScreenView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_screen: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example screen_01h455vb4pex5vsknk084sn02q
                 */
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ScreenView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_screen: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example screen_01h455vb4pex5vsknk084sn02q
                 */
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Hello",
                 *       "content": {
                 *         "title": "Welcome aboard"
                 *       },
                 *       "settings": {
                 *         "layout": "hero"
                 *       },
                 *       "localizations": {
                 *         "de": {
                 *           "/title": {
                 *             "source": "Welcome aboard",
                 *             "text": "Willkommen an Bord"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ScreenUpdateBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ScreenView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_screen: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example screen_01h455vb4pex5vsknk084sn02q
                 */
                screen_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_screen_templates: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
                type?: components["schemas"]["ScreenType"];
                category?: components["schemas"]["TemplateCategory"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ScreenTemplateView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_flow_templates: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
                category?: components["schemas"]["FlowCategory"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FlowTemplateView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_theme_templates: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeTemplateView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_themes: {
        parameters: {
            query: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                /** @description `draft`: each theme has `has_draft` and `version` too. */
                include?: components["schemas"]["FlowPart"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_theme: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "background": {
                 *         "angle": 160,
                 *         "gradient": [
                 *           "#ffd1dc",
                 *           "#c1d8ff"
                 *         ]
                 *       },
                 *       "colors": {
                 *         "dark": {
                 *           "primary": "#aabbcc"
                 *         },
                 *         "primary": "#112233"
                 *       },
                 *       "projectId": "proj_01h455vb4pex5vsknk084sn02q",
                 *       "name": "Dark",
                 *       "based_on": "theme_01h455vb4pex5vsknk084sn02q"
                 *     }
                 */
                "application/json": components["schemas"]["ThemeCreateBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectThingNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_theme: {
        parameters: {
            query?: {
                /** @description `draft`: the theme has `has_draft` and `version` too. */
                include?: components["schemas"]["FlowPart"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_theme: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "background": {
                 *         "angle": 160,
                 *         "gradient": [
                 *           "#ffd1dc",
                 *           "#c1d8ff"
                 *         ]
                 *       },
                 *       "colors": {
                 *         "dark": {
                 *           "primary": "#aabbcc"
                 *         },
                 *         "primary": "#112233"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ThemeUpdateBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_theme: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_theme_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeDraftView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    put_theme_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Creates only: where the resource exists, the response is 412, and nothing is changed.
                 * @example *
                 */
                "If-None-Match"?: components["parameters"]["IfNew"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "document": {
                 *         "colors": {
                 *           "primary": "#112233"
                 *         },
                 *         "name": "Dark"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ThemeDraftBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeDraftView"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeDraftView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_theme_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    diff_theme_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DiffView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    publish_theme_draft: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "note": "Shorter welcome"
                 *     }
                 */
                "application/json": components["schemas"]["ThemePublishBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeVersionWithDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_theme_versions: {
        parameters: {
            query?: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "-created_at";
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeVersionView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_theme_version: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeVersionWithDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    diff_theme_version: {
        parameters: {
            query?: {
                against?: number;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["DiffView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    restore_theme_version: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Creates only: where the resource exists, the response is 412, and nothing is changed.
                 * @example *
                 */
                "If-None-Match"?: components["parameters"]["IfNew"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example theme_01h455vb4pex5vsknk084sn02q
                 */
                theme_id: string;
                /**
                 * @description The number of a version; one that is not kept does not exist.
                 * @example 1
                 */
                number: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["RestoreBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeDraftView"];
                    };
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ThemeVersionWithDocument"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_media: {
        parameters: {
            query: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                kind?: components["schemas"]["MediaKind"];
                /** @description Must have at most 200 characters; white space around it is trimmed */
                search?: string;
                /** @description The SHA-256 of a file: the one that was uploaded, or the one at `url`. */
                digest?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_media: {
        parameters: {
            query: {
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                /** @description Must have 1 to 100 characters; white space around it is trimmed */
                name: string;
                /** @description The still picture of a video, which a video needs. */
                poster_media_id?: string;
            };
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": string;
                "image/apng": string;
                "image/jpeg": string;
                "image/webp": string;
                "image/avif": string;
                "image/gif": string;
                "image/svg+xml": string;
                "application/json": string;
                "video/mp4": string;
                "video/webm": string;
                "font/woff2": string;
                "font/woff": string;
                "font/ttf": string;
                "font/otf": string;
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_media: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example media_01h455vb4pex5vsknk084sn02q
                 */
                media_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_media: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example media_01h455vb4pex5vsknk084sn02q
                 */
                media_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["MediaUpdateBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["MediaView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_media: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example media_01h455vb4pex5vsknk084sn02q
                 */
                media_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_experiments: {
        parameters: {
            query: {
                page?: number;
                limit?: number;
                /** @description The field to sort by; a leading - means descending. Ties are broken by id */
                sort?: "created_at" | "name" | "updated_at" | "-created_at" | "-name" | "-updated_at";
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                status?: components["schemas"]["ExperimentStatus"];
                /** @description A part of the name. */
                search?: string;
                /** @description `users`: each experiment has `users` too. */
                include?: components["schemas"]["ExperimentPart"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ListedExperimentView"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_experiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hypothesis": "With fewer screens more users complete the flow",
                 *       "audience": {
                 *         "conditions": [
                 *           {
                 *             "attribute": "appVersion",
                 *             "operator": "semver_gte",
                 *             "value": "2.1.0"
                 *           }
                 *         ]
                 *       },
                 *       "traffic_percentage": 50,
                 *       "projectId": "proj_01h455vb4pex5vsknk084sn02q",
                 *       "name": "Shorter",
                 *       "variants": [
                 *         {
                 *           "flow_id": "flow_01h455vb4pex5vsknk084sn02q",
                 *           "is_control": true,
                 *           "key": "control",
                 *           "name": "As it is",
                 *           "weight": 50
                 *         },
                 *         {
                 *           "flow_id": "flow_01h455vb4pex5vsknk084sn02r",
                 *           "key": "short",
                 *           "name": "Shorter",
                 *           "weight": 50
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ExperimentCreateBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExperimentView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectInvalidFlowNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    estimate_experiment: {
        parameters: {
            query: {
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                primary_event?: string;
                /** @description The share of the users that takes part. */
                traffic_percentage?: number;
                /** @description The weight of the variant with the fewest users. */
                smallest_weight?: number;
                /** @description The smallest relative lift that the experiment should find. */
                lift_percentage?: number;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["EstimateView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_experiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExperimentView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_experiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "hypothesis": "With fewer screens more users complete the flow",
                 *       "audience": {
                 *         "conditions": [
                 *           {
                 *             "attribute": "appVersion",
                 *             "operator": "semver_gte",
                 *             "value": "2.1.0"
                 *           }
                 *         ]
                 *       },
                 *       "traffic_percentage": 50,
                 *       "variants": [
                 *         {
                 *           "flow_id": "flow_01h455vb4pex5vsknk084sn02q",
                 *           "is_control": true,
                 *           "key": "control",
                 *           "name": "As it is",
                 *           "weight": 50
                 *         },
                 *         {
                 *           "flow_id": "flow_01h455vb4pex5vsknk084sn02r",
                 *           "key": "short",
                 *           "name": "Shorter",
                 *           "weight": 50
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ExperimentUpdateBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExperimentView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_experiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        message: string;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    start_experiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExperimentView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pause_experiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExperimentView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    complete_experiment: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description The `ETag` (or several, or `*`) that the resource must have; otherwise 412, and nothing is changed.
                 * @example "0b6c1d2f3a4e5f60"
                 */
                "If-Match"?: components["parameters"]["IfMatch"];
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "winner": "short"
                 *     }
                 */
                "application/json": components["schemas"]["ExperimentCompleteBody"];
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    ETag: components["headers"]["ETag"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExperimentView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_experiment_results: {
        parameters: {
            query?: {
                /** @description `series`: `days` too, the users and conversions by the day of the first exposure. */
                include?: components["schemas"]["ResultsPart"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /**
                 * @description An id; a malformed one is treated as one that does not exist.
                 * @example exp_01h455vb4pex5vsknk084sn02q
                 */
                experiment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ExperimentResultsView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_analytics: {
        parameters: {
            query: {
                period?: components["schemas"]["Period"];
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                from?: string;
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                to?: string;
                /** @description `project_id` is another spelling; send one of the two. */
                projectId: string;
                /** @description `flow_id` is another spelling; send one of the two. */
                flowId?: string;
                /** @description `experiment_id` is another spelling; send one of the two. */
                experimentId?: string;
                /** @description `event_type` is another spelling; send one of the two. */
                eventType?: string;
                platform?: components["schemas"]["EventPlatform"];
                group_by?: components["schemas"]["GroupBy"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["AnalyticsView"];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidProjectInvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_funnel: {
        parameters: {
            query: {
                period?: components["schemas"]["Period"];
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                from?: string;
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                to?: string;
                /** @description `flow_id` is another spelling; send one of the two. */
                flowId: string;
                /** @description `experiment_id` is another spelling; send one of the two. */
                experimentId?: string;
                /** @description `project_id` is another spelling; send one of the two. */
                projectId?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["FunnelView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_paths: {
        parameters: {
            query: {
                period?: components["schemas"]["Period"];
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                from?: string;
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                to?: string;
                /** @description `flow_id` is another spelling; send one of the two. */
                flowId: string;
                /** @description `experiment_id` is another spelling; send one of the two. */
                experimentId?: string;
                /** @description `project_id` is another spelling; send one of the two. */
                projectId?: string;
                /** @description A variant of `experimentId`, which it needs. */
                variant?: string;
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["PathsView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_responses: {
        parameters: {
            query: {
                period?: components["schemas"]["Period"];
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                from?: string;
                /** @description A UTC day from the year 2000 on. `from` and `to` come together, both included, less than 36525 days apart, and without `period` */
                to?: string;
                /** @description `flow_id` is another spelling; send one of the two. */
                flowId: string;
                /** @description `experiment_id` is another spelling; send one of the two. */
                experimentId?: string;
                /** @description `project_id` is another spelling; send one of the two. */
                projectId?: string;
                platform?: components["schemas"]["EventPlatform"];
            };
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    Vary: components["headers"]["Vary"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ResponsesView"];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["InvalidFlowThingNotFound"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_user: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["UserView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_user_api_key: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ApiKeyView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotate_user_api_key: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description Any text of yours. For 24 hours the same request of the same user with the same key has the same response, and is executed once. Another request with the key is a 409.
                 * @example 3f1c9a52-order-7
                 */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": components["schemas"]["EmptyBody"];
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        data: components["schemas"]["ApiKeyView"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_openapi_document: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        openapi: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["UncountedBadRequest"];
            500: components["responses"]["UncountedInternalError"];
        };
    };
    get_documentation_page: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["UncountedBadRequest"];
            500: components["responses"]["UncountedInternalError"];
        };
    };
    get_documentation_asset: {
        parameters: {
            query?: never;
            header?: {
                /**
                 * @description An id for this request: 1 to 128 letters, digits, `.`, `_` and `-`. Another one is replaced.
                 * @example checkout-42
                 */
                "X-Request-Id"?: components["parameters"]["XRequestId"];
            };
            path: {
                /** @description The name of a file of the documentation page. */
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                    "text/css": unknown;
                    "image/png": unknown;
                };
            };
            400: components["responses"]["UncountedBadRequest"];
            404: components["responses"]["UncountedThingNotFound"];
            500: components["responses"]["UncountedInternalError"];
        };
    };
    get_liveness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The management service responds with `success`, the edge with its `status`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    } | components["schemas"]["EdgeLiveness"];
                };
            };
            /** @description A member, parameter or header is missing or wrong, or the request is malformed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "MISSING_PARAMETER" | "INVALID_PARAMETER";
                        /** @constant */
                        status: 400;
                    };
                };
            };
            /** @description A defect of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "INTERNAL_ERROR";
                        /** @constant */
                        status: 500;
                    };
                };
            };
            /** @description The service cannot do it safely now; nothing was done. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAVAILABLE";
                        /** @constant */
                        status: 503;
                    };
                };
            };
        };
    };
    get_readiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The management service responds with `success`, the edge with its `status`. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                    } | components["schemas"]["EdgeReadiness"];
                };
            };
            /** @description A member, parameter or header is missing or wrong, or the request is malformed. */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "MISSING_PARAMETER" | "INVALID_PARAMETER";
                        /** @constant */
                        status: 400;
                    };
                };
            };
            /** @description A defect of the service. */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "INTERNAL_ERROR";
                        /** @constant */
                        status: 500;
                    };
                };
            };
            /** @description The service cannot do it safely now; nothing was done. */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Content-Type-Options": components["headers"]["X-Content-Type-Options"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] & {
                        /** @enum {unknown} */
                        code?: "UNAVAILABLE";
                        /** @constant */
                        status: 503;
                    };
                };
            };
        };
    };
}
