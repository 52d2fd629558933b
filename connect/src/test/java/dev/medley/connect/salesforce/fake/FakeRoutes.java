package dev.medley.connect.salesforce.fake;

import dev.medley.base.Json;
import dev.medley.connect.salesforce.fake.FakeSalesforce.FakeAnswer;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Finds what a path means, and asks the store for it. */
final class FakeRoutes {
    private static final Pattern PATH = Pattern.compile("/services/data/(v\\d+\\.\\d)(/[^?]*)?");

    private final FakeOrg org;
    private final FakeSwitches switches;
    private final FakeJobs jobs;
    private final Map<String, List<Map<String, Object>>> cursors = new HashMap<>();

    FakeRoutes(FakeOrg org, FakeSwitches switches) {
        this.org = org;
        this.switches = switches;
        this.jobs = new FakeJobs(org, switches);
    }

    FakeJobs jobs() {
        return jobs;
    }

    /** A call taken apart: version, the words of its path, its query, its body. */
    private record Asked(
            String method,
            String version,
            List<String> path,
            Map<String, String> query,
            String body) {
        JsonNode json() {
            return Json.parse(body, JsonNode.class);
        }

        String at(int i) {
            return i < path.size() ? path.get(i) : "";
        }
    }

    FakeAnswer answer(FakeCall call, String body) {
        String[] halves = call.path().split("\\?", 2);
        Matcher matcher = PATH.matcher(halves[0]);
        if (!matcher.matches()) {
            throw new FakeRefusal(404, "NOT_FOUND", "The requested resource does not exist");
        }
        Map<String, String> query = new HashMap<>();
        for (String pair : halves.length < 2 ? new String[0] : halves[1].split("&", -1)) {
            String[] parts = pair.split("=", 2);
            query.put(parts[0], decoded(parts[parts.length - 1]));
        }
        List<String> path = new ArrayList<>();
        for (String word : String.valueOf(matcher.group(2)).split("/", -1)) {
            if (!word.isEmpty()) {
                path.add(decoded(word));
            }
        }
        Asked asked = new Asked(call.method(), matcher.group(1), path, query, body);
        return switch (asked.at(0)) {
            case "limits" -> limits();
            case "query", "queryAll" -> query(asked);
            case "sobjects" -> sobjects(asked);
            case "composite" -> composite(asked);
            case "jobs" -> asked.at(1).equals("query") ? queryJob(asked) : ingestJob(asked);
            default -> throw notFound();
        };
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static FakeRefusal notFound() {
        return new FakeRefusal(404, "NOT_FOUND", "The requested resource does not exist");
    }

    private FakeAnswer limits() {
        long left = Math.max(0, org.mostCalls() - org.calls());
        return FakeAnswer.json(
                200,
                Map.of(
                        "DailyApiRequests", Map.of("Max", org.mostCalls(), "Remaining", left),
                        "DailyBulkV2QueryJobs", Map.of("Max", 10_000, "Remaining", 9_990),
                        "DailyBulkApiBatches", Map.of("Max", 15_000, "Remaining", 15_000),
                        "DailyBulkV2QueryFileStorageMB",
                                Map.of("Max", 976_562, "Remaining", 976_562)));
    }

    private FakeAnswer query(Asked asked) {
        String cursor = asked.at(1);
        if (!cursor.isEmpty()) {
            String[] parts = cursor.split("-", 2);
            List<Map<String, Object>> all = cursors.get(parts[0]);
            if (all == null) {
                throw new FakeRefusal(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
            }
            return page(asked, parts[0], all, Integer.parseInt(parts[1]));
        }
        FakeSoql.Result result =
                FakeSoql.run(
                        org,
                        asked.query().getOrDefault("q", ""),
                        asked.at(0).equals("queryAll")
                                ? FakeSoql.Deleted.SHOWN
                                : FakeSoql.Deleted.HIDDEN);
        if (result.isCount()) {
            return FakeAnswer.json(
                    200,
                    Map.of("totalSize", result.rows().size(), "done", true, "records", List.of()));
        }
        List<Map<String, Object>> all = new ArrayList<>();
        result.rows().forEach(row -> all.add(record(asked.version(), result, row)));
        String id = "01g%012dAAA".formatted(cursors.size() + 1);
        cursors.put(id, all);
        return page(asked, id, all, 0);
    }

    private FakeAnswer page(Asked asked, String id, List<Map<String, Object>> all, int from) {
        int to = Math.min(all.size(), from + switches.restPage);
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("totalSize", all.size());
        said.put("done", to == all.size());
        if (to < all.size()) {
            said.put(
                    "nextRecordsUrl",
                    "/services/data/%s/query/%s-%d".formatted(asked.version(), id, to));
        }
        said.put("records", all.subList(from, to));
        return FakeAnswer.json(200, said);
    }

    private static Map<String, Object> record(
            String version, FakeSoql.Result result, Map<String, @Nullable String> row) {
        Map<String, Object> record = new LinkedHashMap<>();
        String table = result.table().name();
        record.put(
                "attributes",
                Map.of(
                        "type",
                        table,
                        "url",
                        "/services/data/%s/sobjects/%s/%s"
                                .formatted(version, table, row.get("Id"))));
        result.fields().forEach(f -> record.put(f.name(), value(f, row.get(f.name()))));
        return record;
    }

    private static @Nullable Object value(FakeField field, @Nullable String text) {
        if (text == null) {
            return null;
        }
        if (field.type().equals("datetime")) {
            return text.replace("Z", ".000+0000");
        }
        return field.type().equals("boolean")
                ? (Object) Boolean.valueOf(text)
                : field.isNumber() ? new BigDecimal(text) : text;
    }

    private FakeAnswer sobjects(Asked asked) {
        if (asked.path().size() == 1) {
            return FakeAnswer.json(
                    200,
                    Map.of(
                            "sobjects",
                            org.tables().stream()
                                    .map(t -> Map.of("name", t.name(), "keyPrefix", t.prefix()))
                                    .toList()));
        }
        FakeTable table = table(asked.at(1));
        if (asked.at(2).equals("describe")) {
            return FakeAnswer.json(200, described(table));
        }
        if (asked.method().equals("POST")) {
            FakeWrites.Done done =
                    FakeWrites.write(
                            org,
                            switches,
                            "insert",
                            table.name(),
                            null,
                            values(asked.json()),
                            List.of());
            return FakeAnswer.json(
                    201, Map.of("id", done.id(), "success", true, "errors", List.of()));
        }
        boolean isById = asked.path().size() == 3;
        String field = isById ? "Id" : asked.at(2);
        String value = isById ? asked.at(2) : asked.at(3);
        return switch (asked.method()) {
            case "PATCH" -> patch(table, field, value, values(asked.json()));
            case "GET" -> FakeAnswer.json(200, only(asked, table, field, value));
            case "DELETE" -> {
                table.delete(String.valueOf(table.row(value).get("Id")));
                yield FakeAnswer.nothing(204);
            }
            default -> throw new FakeRefusal(405, "METHOD_NOT_ALLOWED", asked.method());
        };
    }

    private FakeTable table(String name) {
        try {
            return org.table(name);
        } catch (FakeRefusal e) {
            throw notFound();
        }
    }

    private Map<String, Object> only(Asked asked, FakeTable table, String field, String value) {
        List<String> ids = table.matches(field, value);
        if (ids.isEmpty()) {
            throw notFound();
        }
        FakeSoql.Result all = new FakeSoql.Result(table, table.fields(), List.of(), false);
        return record(asked.version(), all, table.row(ids.get(0)));
    }

    private FakeAnswer patch(
            FakeTable table, String field, String value, Map<String, @Nullable String> values) {
        List<String> ids = table.matches(field, value);
        if (ids.size() > 1) {
            return FakeAnswer.json(
                    300,
                    ids.stream()
                            .map(id -> "/services/data/v61.0/sobjects/" + table.name() + "/" + id)
                            .toList());
        }
        Map<String, @Nullable String> all = new LinkedHashMap<>(values);
        all.put(field, value);
        FakeWrites.Done done =
                FakeWrites.write(
                        org,
                        switches,
                        field.equals("Id") ? "update" : "upsert",
                        table.name(),
                        field,
                        all,
                        List.of(all));
        return field.equals("Id")
                ? FakeAnswer.nothing(204)
                : FakeAnswer.json(
                        done.created() ? 201 : 200,
                        Map.of(
                                "id",
                                done.id(),
                                "success",
                                true,
                                "errors",
                                List.of(),
                                "created",
                                done.created()));
    }

    private static Map<String, @Nullable String> values(JsonNode json) {
        Map<String, @Nullable String> values = new LinkedHashMap<>();
        json.properties()
                .forEach(
                        p -> {
                            if (!p.getKey().equals("attributes")) {
                                values.put(
                                        p.getKey(),
                                        p.getValue().isNull() ? null : p.getValue().asString());
                            }
                        });
        return values;
    }

    private static Map<String, Object> described(FakeTable table) {
        List<Map<String, Object>> fields = new ArrayList<>();
        for (FakeField field : table.fields()) {
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("name", field.name());
            said.put("label", field.label());
            said.put("type", field.type());
            said.put("nillable", field.nillable());
            said.put("externalId", field.externalId());
            said.put("unique", field.unique());
            said.put("idLookup", field.externalId() || field.name().equals("Id"));
            said.put("calculated", field.calculated());
            said.put("compoundFieldName", field.compound());
            said.put("updateable", !field.calculated() && field.nillable());
            said.put("createable", !field.calculated() && field.nillable());
            said.put("scale", field.type().equals("currency") ? 2 : 0);
            said.put("precision", 18);
            fields.add(said);
        }
        return Map.of(
                "name",
                table.name(),
                "label",
                table.name(),
                "keyPrefix",
                table.prefix(),
                "queryable",
                true,
                "fields",
                fields);
    }

    private FakeAnswer composite(Asked asked) {
        if (!asked.at(1).equals("sobjects")) {
            throw notFound();
        }
        JsonNode records = asked.json().path("records");
        if (records.size() > 200) {
            throw new FakeRefusal(
                    400,
                    "EXCEEDED_ID_LIMIT",
                    "record limit reached. cannot submit more than 200 records");
        }
        String field = asked.at(3);
        String operation =
                asked.method().equals("POST") ? "insert" : field.isEmpty() ? "update" : "upsert";
        List<Map<String, @Nullable String>> all = new ArrayList<>();
        records.forEach(record -> all.add(values(record)));
        if (operation.equals("upsert")) {
            FakeWrites.requireReadable(switches, org.table(asked.at(2)), all);
        }
        List<Map<String, Object>> said = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            String object =
                    field.isEmpty()
                            ? records.get(i).path("attributes").path("type").asString()
                            : asked.at(2);
            said.add(written(operation, object, field, all.get(i), all));
        }
        return FakeAnswer.json(200, said);
    }

    private Map<String, Object> written(
            String operation,
            String object,
            String field,
            Map<String, @Nullable String> values,
            List<Map<String, @Nullable String>> together) {
        Map<String, Object> said = new LinkedHashMap<>();
        try {
            Map<String, @Nullable String> own = new LinkedHashMap<>(values);
            if (own.containsKey("id")) {
                own.put("Id", own.remove("id"));
            }
            FakeWrites.Done done =
                    FakeWrites.write(
                            org,
                            switches,
                            operation,
                            object,
                            field.isEmpty() ? null : field,
                            own,
                            together);
            said.put("id", done.id());
            said.put("success", true);
            said.put("errors", List.of());
            said.put("created", done.created());
        } catch (FakeRefusal e) {
            said.put("success", false);
            said.put(
                    "errors",
                    List.of(
                            Map.of(
                                    "statusCode", e.code,
                                    "message", e.getMessage().strip(),
                                    "fields", List.of())));
        }
        return said;
    }

    private FakeAnswer queryJob(Asked asked) {
        String id = asked.at(2);
        if (id.isEmpty()) {
            return FakeAnswer.json(200, jobs.query(asked.json(), asked.version()));
        }
        String base = "/services/data/%s/jobs/query/%s".formatted(asked.version(), id);
        String locator = asked.query().get("locator");
        if (asked.at(3).equals("results")) {
            int most = Integer.parseInt(asked.query().getOrDefault("maxRecords", "100000"));
            FakeJobs.Page page = jobs.page(id, locator, most);
            return FakeAnswer.csv(
                    page.text(),
                    Map.of(
                            "Sforce-Locator",
                            page.next() == null ? "null" : page.next(),
                            "Sforce-NumberOfRecords",
                            Integer.toString(page.rows())));
        }
        if (asked.at(3).equals("resultPages")) {
            return FakeAnswer.json(200, jobs.pages(id, locator, base));
        }
        return job(asked, id);
    }

    private FakeAnswer ingestJob(Asked asked) {
        String id = asked.at(2);
        if (id.isEmpty()) {
            return FakeAnswer.json(200, jobs.ingest(asked.json(), asked.version()));
        }
        if (asked.at(3).equals("batches")) {
            jobs.upload(id, asked.body());
            return FakeAnswer.nothing(201);
        }
        return asked.at(3).isEmpty()
                ? job(asked, id)
                : FakeAnswer.csv(jobs.results(id, asked.at(3)), Map.of());
    }

    private FakeAnswer job(Asked asked, String id) {
        return switch (asked.method()) {
            case "GET" -> FakeAnswer.json(200, jobs.status(id, asked.version()));
            case "PATCH" ->
                    FakeAnswer.json(
                            200,
                            jobs.patch(id, asked.json().path("state").asString(), asked.version()));
            case "DELETE" -> {
                jobs.delete(id);
                yield FakeAnswer.nothing(204);
            }
            default -> throw new FakeRefusal(405, "METHOD_NOT_ALLOWED", asked.method());
        };
    }
}
