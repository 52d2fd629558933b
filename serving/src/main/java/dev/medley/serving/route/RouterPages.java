package dev.medley.serving.route;

import dev.medley.record.metrics.Exposition;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Shows a router's servers: as a page, and as figures for Prometheus. */
final class RouterPages {
    private static final String HEAD =
            """
            <!doctype html><html lang="en"><head><meta charset="utf-8">
            <title>medley route</title><meta http-equiv="refresh" content="2"><style>
            body{font:15px system-ui,sans-serif;margin:2rem;max-width:75rem;background:#fff;color:#111}
            table{border-collapse:collapse;width:100%}
            th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid #ccc}
            td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
            </style></head><body><h1>Servers of this router</h1><table><thead><tr>
            <th>server</th><th>state</th><th class="n">sent, not answered</th>
            <th class="n">in flight there</th><th class="n">latency, ms</th>
            <th class="n">answers</th><th class="n">failures</th>
            <th>chosen last because</th></tr></thead><tbody>
            """;

    private RouterPages() {}

    /**
     * The servers and what the router did.
     *
     * @param moved requests that went to another server because the first could not be reached
     * @param retried requests that were sent and asked again elsewhere
     * @param failed requests that the router answered with a failure of its own
     */
    record Status(
            long requests, long moved, long retried, long failed, List<ReplicaView> servers) {}

    static Status status(RouterParts parts) {
        RouterTotals totals = parts.totals();
        return new Status(
                totals.requests.sum(),
                totals.moved.sum(),
                totals.retried.sum(),
                totals.failed.sum(),
                parts.table().views(parts.clock().nowNs()));
    }

    static String page(Status status) {
        StringBuilder out = new StringBuilder(HEAD);
        for (ReplicaView each : status.servers()) {
            out.append(
                    "<tr><td>%s</td><td>%s%s</td>%s%s%s%s%s<td>%s</td></tr>\n"
                            .formatted(
                                    escaped(each.server()),
                                    word(each.state()),
                                    each.why().isEmpty() ? "" : ": " + escaped(each.why()),
                                    cell(each.sent()),
                                    cell(each.in_flight() == null ? "not told" : each.in_flight()),
                                    cell("%.2f".formatted(each.latency_ms())),
                                    cell(each.answers()),
                                    cell(each.failures()),
                                    escaped(each.chosen())));
        }
        return out.append(
                        ("</tbody></table><p>%d requests; %d went on to a server that could be"
                                        + " reached, %d were asked again elsewhere, %d failed"
                                        + " here.</p></body></html>\n")
                                .formatted(
                                        status.requests(),
                                        status.moved(),
                                        status.retried(),
                                        status.failed()))
                .toString();
    }

    private static String cell(Object value) {
        return "<td class=\"n\">" + value + "</td>";
    }

    private static String word(ReplicaState state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    static String figures(Status status) {
        Exposition out = new Exposition();
        out.counter("medley_route_requests_total", "Requests of callers").sample(status.requests());
        out.counter("medley_route_moved_total", "Requests whose first server was not reached")
                .sample(status.moved());
        out.counter("medley_route_retried_total", "Requests asked again at another server")
                .sample(status.retried());
        out.counter("medley_route_failed_total", "Requests that the router answered by a failure")
                .sample(status.failed());
        each(
                out.gauge("medley_route_sent", "Requests sent and not answered"),
                status,
                v -> v.sent());
        each(
                out.gauge("medley_route_in_flight", "Requests under way at a server, by its word"),
                status,
                v -> v.in_flight() == null ? Double.NaN : v.in_flight());
        each(
                out.gauge("medley_route_latency_seconds", "Latency of one more request"),
                status,
                v -> v.latency_ms() / 1e3);
        each(
                out.counter("medley_route_answers_total", "Answers of a server"),
                status,
                v -> v.answers());
        each(
                out.counter("medley_route_failures_total", "Requests that a server did not answer"),
                status,
                v -> v.failures());
        out.gauge("medley_route_state", "1 for the state that a server is in");
        for (ReplicaView view : status.servers()) {
            for (ReplicaState state : ReplicaState.values()) {
                out.sample(
                        view.state() == state ? 1L : 0L,
                        "server",
                        view.server(),
                        "state",
                        word(state).replace(' ', '_'));
            }
        }
        return out.text();
    }

    private static void each(Exposition out, Status status, ToDoubleFunction<ReplicaView> value) {
        status.servers()
                .forEach(view -> out.sample(value.applyAsDouble(view), "server", view.server()));
    }
}
