package dev.medley.api.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.job.JobFile;
import dev.medley.base.Json;
import dev.medley.base.job.JobSpec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The schema and the records say the same: every key changes a component of the job, every
 * component is reached by a key, and documented defaults are the real ones.
 */
@Tag("unit")
class SchemaAgreementTest {
    /** Settings with which a key has a meaning, by the beginning of its path. */
    private static final List<String> LISTEN = List.of("cluster.listen=localhost:7077");

    private static final List<String> QUORUM = List.of("strategy.kind=diloco", "strategy.quorum=1");

    private static final List<String> PROFIT =
            List.of("train.threshold={maximise: profit, true_positive: 7, false_negative: -7}");
    private static final List<String> LBFGS = List.of("model=linear", "train.optimizer.kind=lbfgs");

    private static final List<String> RATINGS =
            List.of("model={family: factorization, user: u, item: i}");

    private static final Map<String, List<String>> BESIDE =
            Map.ofEntries(
                    Map.entry("train.optimizer.l1", LBFGS),
                    Map.entry("train.optimizer.tolerance", LBFGS),
                    Map.entry("train.optimizer.history", LBFGS),
                    Map.entry("train.optimizer.standard_errors", LBFGS),
                    Map.entry("train.optimizer.momentum", List.of("train.optimizer.kind=sgd")),
                    Map.entry(
                            "train.optimizer.nesterov",
                            List.of("train.optimizer.kind=sgd", "train.optimizer.momentum=0.8")),
                    Map.entry("train.schedule.every", List.of("train.schedule.kind=step")),
                    Map.entry("train.schedule.factor", List.of("train.schedule.kind=step")),
                    Map.entry("train.batch_", List.of("train.batch=adaptive")),
                    Map.entry("train.threshold.true_", PROFIT),
                    Map.entry("train.threshold.false_", PROFIT),
                    Map.entry("strategy.density", List.of("strategy.compress=topk")),
                    Map.entry("strategy.density_steps", List.of("strategy.compress=topk")),
                    Map.entry(
                            "strategy.momentum_correction",
                            List.of(
                                    "strategy.compress=topk",
                                    "train.clip_norm=0",
                                    "train.optimizer={kind: sgd, momentum: 0.9}")),
                    Map.entry("strategy.residual_decay", List.of("strategy.compress=topk")),
                    Map.entry("strategy.codecs", List.of("strategy.compress=auto")),
                    Map.entry("strategy.rank", List.of("strategy.compress=powersgd")),
                    Map.entry("strategy.exact_steps", List.of("strategy.compress=int8")),
                    Map.entry("strategy.sync_every", List.of("strategy.kind=local-sgd")),
                    Map.entry("strategy.inner_batch", List.of("strategy.kind=local-sgd")),
                    Map.entry("strategy.sync", List.of("strategy.kind=parameter-server")),
                    Map.entry("strategy.staleness", List.of("strategy.kind=parameter-server")),
                    Map.entry("strategy.servers", List.of("strategy.kind=parameter-server")),
                    Map.entry("strategy.mix_every", List.of("strategy.kind=gossip")),
                    Map.entry("strategy.outer", List.of("strategy.kind=diloco")),
                    Map.entry("strategy.outer_", List.of("strategy.kind=diloco")),
                    Map.entry("strategy.quorum", List.of("strategy.kind=diloco")),
                    Map.entry("strategy.grace", QUORUM),
                    Map.entry("strategy.late_", QUORUM),
                    Map.entry("strategy.fragments", List.of("strategy.kind=diloco")),
                    Map.entry("strategy.overlap", List.of("strategy.kind=diloco")),
                    Map.entry("cluster.expect", LISTEN),
                    Map.entry("cluster.join_timeout", LISTEN),
                    Map.entry("cluster.begin", LISTEN),
                    Map.entry("cluster.send", LISTEN),
                    Map.entry("cluster.data_store", LISTEN),
                    Map.entry("cluster.credentials", LISTEN),
                    Map.entry("cluster.token_file", LISTEN),
                    Map.entry("cluster.encrypt", LISTEN),
                    Map.entry("train.groups.", List.of("train.groups=[{pattern: x}]")),
                    Map.entry(
                            "strategy.borders.",
                            List.of("strategy.borders=[{from: x, to: y, codec: int8}]")),
                    Map.entry("model.patch", List.of("model={family: transformer, form: encoder}")),
                    Map.entry(
                            "model.patch_", List.of("model={family: transformer, form: encoder}")),
                    Map.entry("track.experiment", List.of("track.mlflow=http://a:5000")),
                    Map.entry("track.register", List.of("track.mlflow=http://a:5000")),
                    Map.entry("track.required", List.of("track.mlflow=http://a:5000")),
                    Map.entry("data.group", List.of("model=boosting")),
                    Map.entry("model.ranking", List.of("data.group=q")),
                    Map.entry("model.user", RATINGS),
                    Map.entry("model.item", RATINGS),
                    Map.entry("model.sides", RATINGS),
                    Map.entry("model.feedback", RATINGS),
                    Map.entry("model.solver", RATINGS),
                    Map.entry(
                            "model.tables",
                            List.of(
                                    "model={family: factorization, user: u, item: i, solver:"
                                            + " als}")),
                    Map.entry("data.series", List.of("data.series={time: when}")),
                    Map.entry("data.series.columns", List.of("data.series.by=who", "data.label=y")),
                    Map.entry(
                            "model.lora.",
                            List.of("model={family: pretrained, from: there, lora: {rank: 8}}")),
                    Map.entry("data.text.vocabulary", List.of("data.text.unit=bpe")),
                    Map.entry("data.options", List.of("data.class=a.B")),
                    Map.entry("data.format", List.of("data.class=a.B")));

    /** Families that their names alone do not make. */
    private static final Map<String, String> OWN =
            Map.of(
                    "custom", "{class: a.B}",
                    "torchscript", "{family: torchscript, file: a.pt}",
                    "pretrained", "{family: pretrained, from: there}");

    /** A key of what a list holds. */
    private static final Pattern LIST = Pattern.compile("^(train\\.groups|strategy\\.borders)\\.");

    private final JobSchema schema = JobSchema.shared();

    @TempDir private static Path folder;

    @BeforeAll
    static void programs() throws IOException {
        Files.writeString(folder.resolve("a.pt"), "a program");
        Files.writeString(folder.resolve("net.pt"), "another");
    }

    private static JobSpec job(List<String> settings) {
        String smallest = "data: {train: a.csv}\nmodel: mlp\n";
        return JobFile.parse("job.yaml", smallest, folder, settings).spec();
    }

    /** Settings that put a key into a job, in a form that an override takes. */
    private static List<String> settings(JobReference.Key key, String value) {
        List<String> settings = new ArrayList<>();
        if (!key.family().isEmpty()) {
            settings.add("model=" + OWN.getOrDefault(key.family(), key.family()));
        }
        BESIDE.forEach(
                (prefix, needed) -> {
                    if (begins(key.path(), prefix)) {
                        settings.addAll(needed);
                    }
                });
        if (key.path().equals("data.format")) {
            settings.clear();
        }
        Matcher list = LIST.matcher(key.path());
        settings.add(list.replaceAll("$1.0.") + "=" + value);
        return settings;
    }

    /** Whether a path is that key, or one below or beside it where the prefix ends so. */
    private static boolean begins(String path, String prefix) {
        boolean isOpen = prefix.endsWith(".") || prefix.endsWith("_");
        return isOpen ? path.startsWith(prefix) : (path + ".").startsWith(prefix + ".");
    }

    private static List<JobReference.Key> leaves() {
        List<JobReference.Key> keys = JobReference.keys();
        return keys.stream()
                .filter(k -> !k.example().isEmpty() && !k.path().endsWith(".family"))
                .toList();
    }

    private static List<String> withoutLast(List<String> settings) {
        return settings.subList(0, settings.size() - 1);
    }

    private List<String> examples(JobReference.Key key) {
        return keyword(key, "examples").valueStream().map(Json::line).toList();
    }

    @Test
    void shouldChangeTheJobByEveryKey() {
        for (JobReference.Key key : leaves()) {
            List<String> values = examples(key);
            JobSpec without = job(withoutLast(settings(key, "")));
            assertThat(values)
                    .as("%s", key.path())
                    .anyMatch(v -> !job(settings(key, v)).equals(without));
        }
    }

    /** A text of the wrong form is told the right one in words. */
    @Test
    void everyPatternShouldHaveWords() throws IOException {
        for (String name : List.of("job", "cluster")) {
            try (InputStream in =
                    JobSchema.class.getResourceAsStream("/dev/medley/" + name + ".schema.json")) {
                patterns(Json.parse(in.readAllBytes(), JsonNode.class), name);
            }
        }
    }

    private static void patterns(JsonNode node, String where) {
        if (node.path("pattern").isString() && node.path("type").isString()) {
            assertThat(node.path("x-expected").asString("")).as(where).isNotEmpty();
        }
        node.forEachEntry((key, child) -> patterns(child, where + "/" + key));
        if (node.isArray()) {
            node.forEach(child -> patterns(child, where + "[]"));
        }
    }

    @Test
    void shouldReachEveryComponentByAKey() {
        Set<String> changed = new TreeSet<>();
        Set<String> all = new TreeSet<>();
        for (JobReference.Key key : leaves()) {
            JsonNode before = Json.tree(job(withoutLast(settings(key, ""))));
            for (String value : examples(key)) {
                JsonNode after = Json.tree(job(settings(key, value)));
                compare("", before, after, changed);
                collect("", after, all);
            }
        }
        Set<String> untouched = new HashSet<>(all);
        untouched.removeIf(c -> changed.stream().anyMatch(d -> covers(d, c)));
        untouched.remove("/train/loss/weights/values"); // What follows from the data.
        untouched.remove("/model/found"); // What lies in the folder.
        untouched.remove("/data/table/terms/sparse"); // What the family says.
        untouched.remove("/train/optimizer/l1"); // That of sgd: here the key sets that of lbfgs.
        assertThat(untouched).as("components that no key reaches").isEmpty();
    }

    private static boolean covers(String changed, String component) {
        return changed.equals(component)
                || component.startsWith(changed + "/")
                || changed.startsWith(component + "/");
    }

    private static void compare(String at, JsonNode before, JsonNode after, Set<String> changed) {
        boolean isWhole = !before.isObject() || !after.isObject();
        if (isWhole && !before.equals(after)) {
            changed.add(at);
        } else if (!isWhole) {
            Set<String> names = new TreeSet<>(before.propertyNames());
            names.addAll(after.propertyNames());
            names.forEach(n -> compare(at + "/" + n, before.path(n), after.path(n), changed));
        }
    }

    private static void collect(String at, JsonNode node, Set<String> all) {
        if (node.isObject() && !node.isEmpty()) {
            node.propertyStream().forEach(p -> collect(at + "/" + p.getKey(), p.getValue(), all));
        } else {
            all.add(at);
        }
    }

    @Test
    void shouldDocumentTheRealDefaults() {
        int checked = 0;
        for (JobReference.Key key : leaves()) {
            JsonNode value = defaultOf(key);
            if (!value.isMissingNode()) {
                List<String> with = settings(key, Json.line(value));
                List<String> without = with.subList(0, with.size() - 1);
                assertThat(job(with)).as("%s", with).isEqualTo(job(without));
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(50);
    }

    @Test
    void shouldDocumentTheRealDefaultsThatDependOnOtherKeys() {
        int checked = 0;
        for (JobReference.Key key : leaves()) {
            for (Map.Entry<String, JsonNode> other : keyword(key, "x-defaults").properties()) {
                List<String> without = List.of(other.getKey());
                List<String> with =
                        List.of(other.getKey(), key.path() + "=" + Json.line(other.getValue()));
                assertThat(job(with)).as("%s", with).isEqualTo(job(without));
                checked++;
            }
        }
        assertThat(checked).isGreaterThan(10);
    }

    /**
     * The family-dependent default of mlp comes before the general one, as in the job used here.
     */
    private JsonNode defaultOf(JobReference.Key key) {
        JsonNode ofMlp = keyword(key, "x-defaults").path("model=mlp");
        return ofMlp.isMissingNode() ? keyword(key, "default") : ofMlp;
    }

    private JsonNode keyword(JobReference.Key key, String name) {
        return JobReference.entries().stream()
                .filter(e -> e.key().equals(key))
                .map(e -> schema.keyword(e.node(), name))
                .findFirst()
                .orElseThrow();
    }
}
