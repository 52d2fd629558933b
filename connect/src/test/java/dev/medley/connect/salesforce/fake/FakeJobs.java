package dev.medley.connect.salesforce.fake;

import dev.medley.connect.salesforce.fake.FakeSwitches.JobEnd;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The jobs of Bulk 2.0: queries whose results are read in pages, and uploads of rows. */
final class FakeJobs {
    private final FakeOrg org;
    private final FakeSwitches switches;
    private final Map<String, Job> jobs = new LinkedHashMap<>();

    /** A job; a query has rows from the start, an upload gets them. */
    private static final class Job {
        final String id;
        final int number;
        final boolean isQuery;
        final String operation;
        final String object;
        final @Nullable String externalId;
        String state;
        int polls;
        @Nullable String error;
        List<String> header = List.of();
        List<String> lines = List.of();
        List<List<String>> uploaded = new ArrayList<>();
        final StringBuilder good = new StringBuilder();
        final StringBuilder bad = new StringBuilder();
        final StringBuilder left = new StringBuilder();
        int processed;
        int failed;

        Job(
                String id,
                int number,
                boolean isQuery,
                String operation,
                String object,
                @Nullable String ext) {
            this.id = id;
            this.number = number;
            this.isQuery = isQuery;
            this.operation = operation;
            this.object = object;
            this.externalId = ext;
            this.state = isQuery ? "UploadComplete" : "Open";
        }
    }

    /** One page of a result and where the next one begins. */
    record Page(String text, int rows, @Nullable String next) {}

    FakeJobs(FakeOrg org, FakeSwitches switches) {
        this.org = org;
        this.switches = switches;
    }

    Map<String, Object> query(JsonNode asked, String version) {
        String operation = asked.path("operation").asString();
        FakeSoql.Result result =
                FakeSoql.run(
                        org,
                        asked.path("query").asString(),
                        operation.equals("queryAll")
                                ? FakeSoql.Deleted.SHOWN
                                : FakeSoql.Deleted.HIDDEN);
        synchronized (org) {
            Job job = made(true, operation, result.table().name(), null);
            job.header = result.fields().stream().map(FakeField::name).toList();
            job.lines =
                    result.rows().stream()
                            .map(row -> FakeCsv.line(values(result.fields(), row)))
                            .toList();
            return said(job, version);
        }
    }

    private static List<@Nullable String> values(
            List<FakeField> fields, Map<String, @Nullable String> row) {
        List<@Nullable String> values = new ArrayList<>();
        for (FakeField field : fields) {
            String value = row.get(field.name());
            boolean isMoment = value != null && field.type().equals("datetime");
            values.add(isMoment ? String.valueOf(value).replace("Z", ".000Z") : value);
        }
        return values;
    }

    private Job made(boolean isQuery, String operation, String object, @Nullable String ext) {
        int number = jobs.size() + 1;
        Job job = new Job("750%012dAAA".formatted(number), number, isQuery, operation, object, ext);
        jobs.put(job.id, job);
        return job;
    }

    Map<String, Object> ingest(JsonNode asked, String version) {
        synchronized (org) {
            FakeTable table = org.table(asked.path("object").asString());
            String ext = asked.path("externalIdFieldName").asString("");
            String operation = asked.path("operation").asString();
            if (operation.equals("upsert") && !table.field(ext).externalId() && !ext.equals("Id")) {
                throw new FakeRefusal(
                        400,
                        "INVALIDJOB",
                        "InvalidJob : Field name provided, %s is not an External ID or indexed field for %s"
                                .formatted(ext, table.name()));
            }
            return said(made(false, operation, table.name(), ext.isEmpty() ? null : ext), version);
        }
    }

    void upload(String id, String csv) {
        synchronized (org) {
            Job job = job(id);
            if (!job.state.equals("Open") || !job.uploaded.isEmpty()) {
                throw new FakeRefusal(
                        400, "INVALIDJOBSTATE", "Data was already uploaded to job " + id);
            }
            List<List<String>> rows = FakeCsv.parse(csv);
            job.header = rows.get(0);
            job.uploaded = rows.subList(1, rows.size());
        }
    }

    Map<String, Object> patch(String id, String state, String version) {
        synchronized (org) {
            Job job = job(id);
            boolean isOver = job.state.equals("JobComplete") || job.state.equals("Failed");
            if (isOver
                    || (!job.isQuery
                            && state.equals("UploadComplete")
                            && !job.state.equals("Open"))) {
                throw new FakeRefusal(
                        400, "INVALIDJOBSTATE", "Invalid state transition from " + job.state);
            }
            job.state = state;
            return said(job, version);
        }
    }

    void delete(String id) {
        synchronized (org) {
            job(id);
            jobs.remove(id);
        }
    }

    Map<String, Object> status(String id, String version) {
        synchronized (org) {
            Job job = job(id);
            boolean isWorking =
                    job.state.equals("UploadComplete") || job.state.equals("InProgress");
            if (isWorking) {
                job.state = "InProgress";
                job.polls++;
                if (job.polls > switches.pollsUntilDone) {
                    finish(job);
                }
            }
            return said(job, version);
        }
    }

    private void finish(Job job) {
        JobEnd end = switches.jobs.apply(job.number);
        if (end == JobEnd.FAILED) {
            job.state = "Failed";
            job.error = "InternalServerError : unable to process the job";
        } else {
            job.state = "JobComplete";
        }
        if (job.isQuery) {
            job.processed = job.lines.size();
            return;
        }
        int apply =
                switch (end) {
                    case COMPLETE -> job.uploaded.size();
                    case HALF -> job.uploaded.size() / 2;
                    case FAILED -> 0;
                };
        if (end == JobEnd.HALF) {
            job.state = "Failed";
            job.error = "InternalServerError : the job stopped half way";
        }
        String header = FakeCsv.line(job.header);
        job.good.append("\"sf__Id\",\"sf__Created\",").append(header);
        job.bad.append("\"sf__Id\",\"sf__Error\",").append(header);
        job.left.append(header);
        List<Map<String, @Nullable String>> all = new ArrayList<>();
        for (List<String> row : job.uploaded) {
            Map<String, @Nullable String> values = new LinkedHashMap<>();
            for (int i = 0; i < job.header.size(); i++) {
                String value = row.get(i);
                if (!value.isEmpty()) { // An empty cell says nothing; #N/A clears a field.
                    values.put(job.header.get(i), value);
                }
            }
            all.add(values);
        }
        for (int i = 0; i < job.uploaded.size(); i++) {
            if (i < apply) {
                write(job, all.get(i), all, job.uploaded.get(i));
            } else {
                job.left.append(FakeCsv.line(job.uploaded.get(i)));
            }
        }
    }

    private void write(
            Job job,
            Map<String, @Nullable String> values,
            List<Map<String, @Nullable String>> together,
            List<String> row) {
        job.processed++;
        try {
            FakeWrites.Done done =
                    FakeWrites.write(
                            org,
                            switches,
                            job.operation,
                            job.object,
                            job.externalId,
                            values,
                            together);
            job.good.append(
                    "\"%s\",\"%s\",%s".formatted(done.id(), done.created(), FakeCsv.line(row)));
        } catch (FakeRefusal e) {
            job.failed++;
            String error = "%s:%s:--".formatted(e.code, e.getMessage().strip());
            job.bad.append(
                    "\"\",\"%s\",%s".formatted(error.replace("\"", "\"\""), FakeCsv.line(row)));
        }
    }

    String results(String id, String which) {
        synchronized (org) {
            Job job = job(id);
            return switch (which) {
                case "successfulResults" -> job.good.toString();
                case "failedResults" -> job.bad.toString();
                default -> job.left.toString();
            };
        }
    }

    Page page(String id, @Nullable String locator, int maxRecords) {
        synchronized (org) {
            Job job = job(id);
            if (!job.state.equals("JobComplete")) {
                throw new FakeRefusal(
                        400, "INVALIDJOBSTATE", "Results not ready, job is " + job.state);
            }
            int from = locator == null ? 0 : offset(locator);
            int to =
                    Math.min(
                            job.lines.size(),
                            from + Math.min(maxRecords, switches.mostRecordsAPage));
            StringBuilder text = new StringBuilder();
            if (from == 0 || switches.headerRow == FakeSwitches.HeaderRow.EVERY_PAGE) {
                text.append(FakeCsv.line(job.header));
            }
            job.lines.subList(from, to).forEach(text::append);
            return new Page(text.toString(), to - from, to < job.lines.size() ? locator(to) : null);
        }
    }

    /** Up to five pages from a locator on, to be read side by side. */
    Map<String, Object> pages(String id, @Nullable String locator, String base) {
        synchronized (org) {
            Job job = job(id);
            int at = locator == null ? 0 : offset(locator);
            List<Map<String, Object>> pages = new ArrayList<>();
            while (pages.size() < 5 && (at < job.lines.size() || (at == 0 && pages.isEmpty()))) {
                pages.add(Map.of("resultUrl", base + "/results?locator=" + locator(at)));
                at += switches.mostRecordsAPage;
            }
            Map<String, Object> said = new LinkedHashMap<>();
            said.put("resultPages", pages);
            boolean isDone = at >= job.lines.size();
            said.put(
                    "nextRecordsUrl", isDone ? null : base + "/resultPages?locator=" + locator(at));
            said.put("done", isDone);
            return said;
        }
    }

    private static String locator(int offset) {
        return Base64.getEncoder()
                .encodeToString(Integer.toString(offset).getBytes(StandardCharsets.UTF_8));
    }

    private static int offset(String locator) {
        try {
            return Integer.parseInt(
                    new String(Base64.getDecoder().decode(locator), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new FakeRefusal(400, "INVALID_LOCATOR", "Invalid locator: " + locator);
        }
    }

    private Job job(String id) {
        Job job = jobs.get(id);
        if (job == null) {
            throw new FakeRefusal(404, "NOT_FOUND", "The requested resource does not exist");
        }
        return job;
    }

    /** Ids of the jobs that are there. */
    List<String> ids() {
        synchronized (org) {
            return List.copyOf(jobs.keySet());
        }
    }

    private Map<String, Object> said(Job job, String version) {
        Map<String, Object> said = new LinkedHashMap<>();
        said.put("id", job.id);
        said.put("operation", job.operation);
        said.put("object", job.object);
        said.put("state", job.state);
        said.put("createdDate", org.now().toString());
        said.put("concurrencyMode", "Parallel");
        said.put("contentType", "CSV");
        said.put("apiVersion", Double.parseDouble(version.substring(1)));
        said.put("jobType", job.isQuery ? "V2Query" : "V2Ingest");
        said.put("lineEnding", "LF");
        said.put("columnDelimiter", "COMMA");
        if (!job.isQuery) {
            said.put(
                    "contentUrl",
                    "services/data/%s/jobs/ingest/%s/batches".formatted(version, job.id));
            said.put("externalIdFieldName", job.externalId);
            said.put("numberRecordsFailed", job.failed);
        }
        said.put("numberRecordsProcessed", job.processed);
        said.put("retries", 0);
        if (job.error != null) {
            said.put("errorMessage", job.error);
        }
        return said;
    }
}
