package dev.medley.tenant.door;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.RequestHeaders;
import com.linecorp.armeria.common.stream.StreamMessage;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.store.file.TemporaryFolder;
import dev.medley.tenant.audit.AuditAsk;
import dev.medley.tenant.audit.AuditLog;
import dev.medley.tenant.policy.TablePolicy;
import dev.medley.tenant.query.QueryAnswer;
import dev.medley.tenant.query.QueryReader;
import dev.medley.tenant.query.QuerySpec;
import dev.medley.tenant.query.TenantQueries;
import dev.medley.tenant.quota.QuotaRefusal;
import dev.medley.tenant.quota.Quotas;
import dev.medley.tenant.quota.RefusalRate;
import dev.medley.tenant.read.PoliciesInForce;
import dev.medley.tenant.read.ReadDecision;
import dev.medley.tenant.read.ReadDenied;
import dev.medley.tenant.read.ReadStop;
import dev.medley.tenant.read.TenantTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * Answers requests of callers that were proved: decides, counts, records, and only then lets bytes
 * go. An entry of the audit is on the disk before the first byte of an answer leaves; where it
 * cannot be written, the request is refused.
 *
 * <p>Thread: those of callers' turns; ends of answers are recorded on one of its own.
 */
final class DoorWork {
    static final String QUERY_PATH = "/query";

    private static final String STOPPED = "ended: its caller has gone, or its time was over";

    private final TenantTables tables;
    private final TenantQueries queries;
    private final AuditLog audit;
    private final Quotas quotas;
    private final ExtractCache cache;
    private final RefusalRate rate;
    private final Executor endings;

    /**
     * Answers from shared tables.
     *
     * @param endings records how answers ended
     */
    DoorWork(
            TenantTables tables,
            AuditLog audit,
            Quotas quotas,
            ExtractCache cache,
            RefusalRate rate,
            Executor endings) {
        this.tables = tables;
        this.queries = new TenantQueries(tables);
        this.audit = audit;
        this.quotas = quotas;
        this.cache = cache;
        this.rate = rate;
        this.endings = endings;
    }

    /**
     * A request of a caller.
     *
     * @param now the policies by which it is decided
     * @param stop ends it when nobody waits for it
     */
    record Asked(
            PoliciesInForce now,
            DoorCallers.Known who,
            RequestHeaders headers,
            AskedTarget target,
            HttpData body,
            ReadStop stop) {
        String name() {
            return who.caller().name();
        }

        AuditAsk ask(String action, String table) {
            return new AuditAsk(name(), action, table, now.fileHash());
        }
    }

    /** Counts and records a request that is allowed so far. */
    private final class Begun {
        private final Asked asked;
        private final AuditAsk ask;
        private long number;
        private boolean isOver;

        Begun(Asked asked, AuditAsk ask) {
            this.asked = asked;
            this.ask = ask;
        }

        /** Rows and bytes are counted and recorded, or the request is refused. */
        void charge(long rows, long bytes) throws IOException {
            QuotaRefusal refusal =
                    quotas.charge(
                            asked.name(), asked.who().quotas(), rows, bytes, audit.time().nowMs());
            if (refusal != null) {
                throw new DoorFailure(403, "QuotaExceeded", refusal.why(), refusal.waitS());
            }
            audit.sends(number, ask, rows, bytes);
        }

        void end(long rows, long bytes, String outcome) throws IOException {
            if (!isOver) {
                free();
                audit.ended(number, ask, rows, bytes, outcome);
            }
        }

        /** It is no read under way any more. */
        void free() {
            if (!isOver) {
                isOver = true;
                quotas.end(asked.name());
            }
        }
    }

    /** What a request asks for, once it is allowed. */
    private interface Answering {
        HttpResponse answer(Begun begun) throws IOException;
    }

    /** What is asked: its name, the table it is about, and how it is answered. */
    private record Deed(String action, String table, Answering answering) {}

    /**
     * The answer to a request.
     *
     * @throws DoorFailure if it is refused, which is recorded by then
     * @throws IOException if nothing can be recorded
     */
    HttpResponse answer(Asked asked) throws IOException {
        Deed deed;
        try {
            deed = deed(asked);
        } catch (DoorFailure e) {
            throw wrong(asked, e);
        }
        AuditAsk ask = asked.ask(deed.action(), deed.table());
        QuotaRefusal full = quotas.begin(asked.name(), asked.who().quotas(), audit.time().nowMs());
        if (full != null) {
            throw denied(ask, DoorFailure.slowDown(full.why(), full.waitS()));
        }
        Begun begun = new Begun(asked, ask);
        try {
            begun.number = audit.began(ask, allowed(asked, ask));
        } catch (IOException | RuntimeException | Error e) {
            begun.free(); // Nobody may lose a place by what is not foreseen.
            throw e;
        }
        return answered(begun, deed.answering());
    }

    /** Counts and records what a caller asked for wrongly. */
    DoorFailure wrong(Asked asked, DoorFailure e) throws IOException {
        AuditAsk ask = asked.ask(action(asked), "");
        QuotaRefusal full = quotas.begin(asked.name(), asked.who().quotas(), audit.time().nowMs());
        if (full != null) {
            return denied(ask, DoorFailure.slowDown(full.why(), full.waitS()));
        }
        quotas.end(asked.name());
        return denied(ask, e);
    }

    /** Why a caller may read the table, if it is about one. */
    private String allowed(Asked asked, AuditAsk ask) throws IOException {
        if (ask.table().isEmpty()) {
            return "about the caller's own tables alone";
        }
        ReadDecision decision = asked.now().decide(asked.who().caller(), ask.table());
        if (decision instanceof ReadDecision.Denied denied) {
            record(ask, denied.why());
            throw DoorFailure.noSuchKey(); // Whether it is there is not told.
        }
        return decision.why();
    }

    private DoorFailure denied(AuditAsk ask, DoorFailure e) throws IOException {
        record(ask, e.code() + ": " + e.said());
        return e;
    }

    /** Of many refusals in a second, some are recorded, and how many they were. */
    private void record(AuditAsk ask, String why) throws IOException {
        long before = rate.before(ask.caller(), audit.time().nowMs());
        if (before >= 0) {
            audit.denied(0, ask, why + (before == 0 ? "" : " (after %d more)".formatted(before)));
        }
    }

    private HttpResponse answered(Begun begun, Answering answering) throws IOException {
        try {
            return answering.answer(begun);
        } catch (DoorFailure e) {
            begun.free();
            throw refused(begun.number, begun.ask, e);
        } catch (IOException | RuntimeException e) {
            boolean isStopped = begun.asked.stop().isStopped();
            begun.end(0, 0, isStopped ? STOPPED : "failed: " + ExtractFailure.said(e));
            throw e;
        } catch (Error e) {
            begun.free();
            throw e;
        }
    }

    private DoorFailure refused(long began, AuditAsk ask, DoorFailure e) throws IOException {
        audit.denied(began, ask, e.code() + ": " + e.said());
        return e;
    }

    private static String action(Asked asked) {
        return asked.headers().method().name() + " " + asked.target().path();
    }

    private Deed deed(Asked asked) {
        AskedTarget target = asked.target();
        HttpMethod method = asked.headers().method();
        if (method == HttpMethod.POST && target.path().equals(QUERY_PATH)) {
            return question(asked);
        }
        if (method != HttpMethod.GET && method != HttpMethod.HEAD) {
            throw new DoorFailure(405, "MethodNotAllowed", "this door only reads");
        }
        boolean isHead = method == HttpMethod.HEAD;
        if (target.bucket().isEmpty() && !isHead) {
            return new Deed("ListBuckets", "", this::buckets);
        }
        if (!target.bucket().equals(asked.now().policies().bucket())) {
            throw new DoorFailure(404, "NoSuchBucket", "there is no such bucket");
        }
        String key = target.key();
        if (key.isEmpty()) {
            return isHead ? new Deed("HeadBucket", "", this::bucket) : listing(target);
        }
        ExtractForm form = ExtractForm.of(key);
        if (form == null) {
            throw DoorFailure.noSuchKey();
        }
        requireOnly(target, "x-id");
        return new Deed(
                (isHead ? "HeadObject " : "GetObject ") + key,
                form.table(key),
                begun -> object(begun, key, form));
    }

    private Deed listing(AskedTarget target) {
        if (target.has("location")) {
            return new Deed("GetBucketLocation", "", begun -> small(begun, DoorXml.location()));
        }
        if (!"2".equals(target.parameter("list-type"))) {
            throw DoorFailure.notImplemented("only ListObjectsV2, with list-type=2, is answered");
        }
        requireOnly(
                target,
                "list-type",
                "prefix",
                "delimiter",
                "max-keys",
                "start-after",
                "continuation-token",
                "encoding-type",
                "fetch-owner",
                "x-id");
        return new Deed("ListObjectsV2", "", this::list);
    }

    /** What else S3 has below a bucket is not here. */
    private static void requireOnly(AskedTarget target, String... names) {
        if (!List.of(names)
                .containsAll(target.query().stream().map(UriText.Parameter::name).toList())) {
            throw DoorFailure.notImplemented(
                    "a parameter of this request is not known to the door");
        }
    }

    private HttpResponse small(Begun begun, String xml) throws IOException {
        begun.end(0, xml.length(), "sent");
        return DoorReplies.xml(xml);
    }

    private HttpResponse bucket(Begun begun) throws IOException {
        begun.end(0, 0, "sent");
        return DoorReplies.empty();
    }

    private HttpResponse buckets(Begun begun) throws IOException {
        return small(
                begun,
                DoorXml.buckets(begun.asked.name(), begun.asked.now().policies().bucket(), 0));
    }

    /** The question in a body; a wrong one is the caller's error. */
    private Deed question(Asked asked) {
        try {
            QuerySpec spec = QueryReader.read(Json.parse(asked.body().array(), JsonNode.class));
            return new Deed("Query", spec.table(), begun -> query(begun, spec));
        } catch (JacksonException e) {
            throw DoorFailure.badRequest("the body is not JSON");
        } catch (ConfigException e) {
            throw DoorFailure.badRequest(String.valueOf(e.getMessage()));
        }
    }

    private HttpResponse query(Begun begun, QuerySpec spec) throws IOException {
        Path folder = TemporaryFolder.make("query");
        try {
            QueryAnswer answer =
                    queries.answer(
                            begun.asked.now(),
                            begun.asked.who().caller(),
                            spec,
                            folder,
                            begun.asked.stop());
            byte[] json = answer.json().getBytes(StandardCharsets.UTF_8);
            begun.charge(answer.rows().size(), json.length);
            begun.end(answer.rows().size(), json.length, "sent");
            return DoorReplies.json(json);
        } catch (ReadDenied e) {
            throw DoorFailure.noSuchKey();
        } catch (ConfigException e) {
            throw DoorFailure.badRequest(String.valueOf(e.getMessage()));
        } finally {
            Files.deleteIfExists(folder);
        }
    }

    /** With sizes and tags, for which the extracts are made. */
    private HttpResponse list(Begun begun) throws IOException {
        List<String> keys = new ArrayList<>();
        for (String table : tables.tables(begun.asked.now(), begun.asked.who().caller())) {
            for (ExtractForm form : ExtractForm.values()) {
                keys.add(form.key(table));
            }
        }
        ObjectPage page =
                ObjectPage.of(
                        begun.asked.target(),
                        keys,
                        key -> {
                            ExtractForm form = ExtractForm.of(key);
                            if (form == null) {
                                throw new IllegalStateException("no form of " + key);
                            }
                            try (ExtractCache.Held held = held(begun.asked, key, form)) {
                                return held.extract();
                            }
                        });
        return small(begun, DoorXml.list(begun.asked.now().policies().bucket(), page));
    }

    private ExtractCache.Held held(Asked asked, String key, ExtractForm form) throws IOException {
        String table = form.table(key);
        TablePolicy policy = asked.now().policies().tables().get(table);
        if (policy == null) {
            throw DoorFailure.noSuchKey();
        }
        return cache.hold(
                List.of(
                        asked.name(),
                        asked.who().caller().attributes().toString(),
                        asked.now().digest(),
                        SourceState.of(policy.place()),
                        key),
                key,
                into -> extracted(asked, table, form, into));
    }

    private long extracted(Asked asked, String table, ExtractForm form, Path into)
            throws IOException {
        try {
            return tables.extract(
                            asked.now(),
                            asked.who().caller(),
                            table,
                            form.format(),
                            into,
                            asked.stop())
                    .rows();
        } catch (ReadDenied e) {
            throw new DoorFailure(403, "AccessDenied", "this table is not to be read now");
        } catch (IOException e) {
            throw new ExtractFailure(e);
        }
    }

    private HttpResponse object(Begun begun, String key, ExtractForm form) throws IOException {
        Asked asked = begun.asked;
        ExtractCache.Held held = held(asked, key, form);
        boolean isSent = false;
        try {
            DoorExtract extract = held.extract();
            RequestHeaders headers = asked.headers();
            String match = headers.get(HttpHeaderNames.IF_MATCH);
            if (match != null && !names(match, extract)) {
                throw new DoorFailure(412, "PreconditionFailed", "the object is another one now");
            }
            String none = headers.get(HttpHeaderNames.IF_NONE_MATCH);
            if (none != null && names(none, extract)) {
                begun.end(0, 0, "not modified");
                return DoorReplies.notModified(extract);
            }
            ByteRange range = ByteRange.of(headers.get(HttpHeaderNames.RANGE), extract.bytes());
            if (headers.method() == HttpMethod.HEAD) {
                begun.end(0, 0, "sent");
                return HttpResponse.of(DoorReplies.ofObject(extract, form, range));
            }
            begun.charge(range.rows(extract.rows(), extract.bytes()), range.bytes());
            HttpResponse response = sent(begun, held, form, range);
            isSent = true;
            return response;
        } finally {
            if (!isSent) {
                held.close();
            }
        }
    }

    private static boolean names(String tags, DoorExtract extract) {
        for (String tag : tags.split(",", -1)) {
            String one = tag.strip();
            if (one.equals("*") || one.equals(extract.tag()) || one.equals(extract.sha256())) {
                return true;
            }
        }
        return false;
    }

    private HttpResponse sent(
            Begun begun, ExtractCache.Held held, ExtractForm form, ByteRange range) {
        DoorExtract extract = held.extract();
        AtomicLong gone = new AtomicLong();
        HttpResponse response =
                HttpResponse.of(
                        DoorReplies.ofObject(extract, form, range),
                        StreamMessage.builder(extract.file())
                                .build()
                                .range(range.from(), range.bytes())
                                .peek(data -> gone.addAndGet(data.length())));
        CompletableFuture<Void> unused =
                response.whenComplete()
                        .whenComplete(
                                (nothing, thrown) ->
                                        endings.execute(
                                                () ->
                                                        over(
                                                                begun,
                                                                held,
                                                                range,
                                                                gone.get(),
                                                                thrown)));
        return response;
    }

    private static void over(
            Begun begun,
            ExtractCache.Held held,
            ByteRange range,
            long gone,
            @Nullable Throwable thrown) {
        try (held) {
            long rows = range.rows(held.extract().rows(), held.extract().bytes());
            begun.end(rows, gone, thrown == null ? "sent" : "cut off");
        } catch (IOException e) {
            return; // The next entry of the audit says how many could not be written.
        }
    }
}
