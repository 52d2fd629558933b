package dev.medley.api.job;

import dev.medley.base.job.DataFormat;
import dev.medley.base.job.FamilyRules;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.strategy.StrategyKey;
import dev.medley.base.text.Words;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds keys that contradict each other, or have no meaning beside each other. */
final class Relations {
    /** Keys of data.series that have no meaning for series with a label each. */
    private static final List<String> OF_FORECASTS =
            List.of("targets", "known", "horizon", "scaling", "validation", "test", "until");

    private static final Map<String, Set<String>> OF_OPTIMIZERS =
            Map.of(
                    "learning_rate", Set.of("sgd", "adam", "adamw", "rmsprop", "adagrad"),
                    "history", Set.of("lbfgs"),
                    "tolerance", Set.of("lbfgs"),
                    "l1", Set.of("lbfgs", "sgd"),
                    "standard_errors", Set.of("lbfgs"),
                    "momentum", Set.of("sgd", "rmsprop"),
                    "nesterov", Set.of("sgd"),
                    "beta1", Set.of("adam", "adamw"),
                    "beta2", Set.of("adam", "adamw", "rmsprop"),
                    "epsilon", Set.of("adam", "adamw", "rmsprop", "adagrad"));
    private static final Map<String, Set<String>> OF_SCHEDULES =
            Map.of("every", Set.of("step"), "factor", Set.of("step"), "floor", Set.of("cosine"));
    private static final Map<String, Set<String>> OF_STRATEGIES =
            Arrays.stream(StrategyKey.values())
                    .collect(
                            Collectors.toMap(
                                    StrategyKey::word,
                                    key ->
                                            key.takers().stream()
                                                    .map(Words::of)
                                                    .collect(Collectors.toSet())));
    private static final List<String> OF_QUORUMS = List.of("grace", "late_decay", "late_rounds");
    private static final Map<String, Set<String>> OF_SYNCS = Map.of("staleness", Set.of("stale"));
    private static final Map<String, Set<String>> OF_CODECS =
            Map.of(
                    "density", Set.of("topk", "auto"),
                    "density_steps", Set.of("topk", "auto"),
                    "momentum_correction", Set.of("topk"),
                    "residual_decay", Set.of("int8", "int4", "topk", "onebit", "auto"),
                    "rank", Set.of("powersgd"),
                    "codecs", Set.of("auto"),
                    "exact_steps",
                            Set.of(
                                    "bf16",
                                    "fp16",
                                    "int8",
                                    "int4",
                                    "topk",
                                    "onebit",
                                    "powersgd",
                                    "auto"));

    /** Of those what a codec of single borders takes. */
    private static final Set<String> OF_BORDERS =
            Set.of("density", "density_steps", "residual_decay", "exact_steps");

    private static final Map<String, Set<String>> OF_FORMATS =
            Map.of(
                    "table", Set.of("auto", "csv", "parquet", "jsonl", "libsvm"),
                    "weight", Set.of("auto", "csv", "parquet", "jsonl"),
                    "group", Set.of("auto", "csv", "parquet", "jsonl"),
                    "series", Set.of("auto", "csv", "parquet", "jsonl"),
                    "image", Set.of("auto", "idx", "images"),
                    "text", Set.of("auto", "text", "csv", "parquet", "jsonl"));
    private static final Map<String, Set<String>> OF_FORMS =
            Map.of("patch", Set.of("encoder"), "patch_stride", Set.of("encoder"));
    private static final Map<String, Set<String>> OF_UNITS = Map.of("vocabulary", Set.of("bpe"));
    private static final Map<String, Set<String>> OF_ALGORITHMS =
            Map.of("iterations", Set.of("lloyd"), "tolerance", Set.of("lloyd"));
    private static final Set<String> SEQUENCES =
            Set.of("auto", "csv", "parquet", "jsonl", "text", "custom");
    private static final Set<String> ROWS =
            Set.of("auto", "csv", "parquet", "jsonl", "libsvm", "idx", "images", "custom");
    private static final Map<String, Set<String>> FORMATS_OF_FAMILIES =
            Map.ofEntries(
                    Map.entry("linear", ROWS),
                    Map.entry("mlp", ROWS),
                    Map.entry("cnn", Set.of("auto", "idx", "images", "custom")),
                    Map.entry("resnet", Set.of("auto", "idx", "images", "custom")),
                    Map.entry("lstm", SEQUENCES),
                    Map.entry("gru", SEQUENCES),
                    Map.entry("transformer", SEQUENCES),
                    Map.entry("pretrained", SEQUENCES),
                    Map.entry("boosting", Set.of("auto", "csv", "parquet", "jsonl", "libsvm")),
                    Map.entry("forest", Set.of("auto", "csv", "parquet", "jsonl", "libsvm")),
                    Map.entry("factorization", Set.of("auto", "csv", "parquet", "jsonl")),
                    Map.entry("kmeans", Set.of("auto", "csv", "parquet", "jsonl")));

    private static final Set<String> TREES = Set.of("boosting", "forest");

    /** Keys of {@code train} without a meaning where a step is a round over all rows. */
    private static final Set<String> NOT_OF_TREES =
            Set.of(
                    "epochs",
                    "steps",
                    "least_steps",
                    "batch",
                    "batch_from",
                    "batch_to",
                    "noise_scale",
                    "loss",
                    "label_smoothing",
                    "optimizer",
                    "schedule",
                    "clip_norm",
                    "accumulate",
                    "precision",
                    "groups");

    /** The same where centres move, by all rows or by batches. */
    private static final Set<String> NOT_OF_CLUSTERS =
            Set.of(
                    "least_steps",
                    "batch_from",
                    "batch_to",
                    "noise_scale",
                    "loss",
                    "class_weights",
                    "label_smoothing",
                    "optimizer",
                    "schedule",
                    "clip_norm",
                    "accumulate",
                    "precision",
                    "groups",
                    "threshold");

    /** More of them where a fit takes all rows, and ends by itself. */
    private static final Set<String> OF_FITS =
            Set.of("epochs", "steps", "batch", "evaluate_every", "stop");

    private static final List<String> OF_MACHINES =
            List.of(
                    "expect",
                    "join_timeout",
                    "begin",
                    "send",
                    "data_store",
                    "credentials",
                    "token_file",
                    "encrypt");

    /** What has no meaning where a step takes all samples, in double precision. */
    private static final List<String> OF_BATCHES =
            List.of("batch", "accumulate", "schedule", "precision");

    private final Section root;

    /**
     * Whether {@code key} has a meaning for {@code kind}: an optimizer, schedule, strategy, codec
     * or format.
     */
    static boolean takes(String key, String kind) {
        for (var owners :
                List.of(OF_OPTIMIZERS, OF_SCHEDULES, OF_STRATEGIES, OF_CODECS, OF_FORMATS)) {
            if (owners.containsKey(key)) {
                return owners.get(key).contains(kind);
            }
        }
        return true;
    }

    Relations(Section root) {
        this.root = root;
    }

    void check() {
        Section data = root.section("data");
        source(data);
        series(data);
        split(data);
        String implied = data.has("class") ? "custom" : "auto";
        String format = data.text("format", implied);
        onlyOf(data, "format", format, OF_FORMATS);
        Section text = data.section("text");
        onlyOf(text, "unit", text.text("unit", "bytes"), OF_UNITS);
        pretrained(text);
        family(data, format);
        Section train = root.section("train");
        Section model = root.section("model");
        if (TREES.contains(model.text("family", ""))) {
            without(
                    NOT_OF_TREES,
                    train,
                    "trees, whose rounds take all rows: their number and rate are keys of model");
        } else if (model.text("solver", "").equals("als")) {
            without(
                    NOT_OF_TREES,
                    train,
                    "solver als, whose steps take all rows: its iterations are a key of model");
        } else if (model.text("family", "").equals("kmeans")) {
            ofClusters(model, data, train);
        } else {
            gradients(train);
        }
        cluster(root.section("cluster"));
        strategy(root.section("strategy"));
    }

    private void pretrained(Section text) {
        boolean isPretrained = root.section("model").text("family", "").equals("pretrained");
        if (isPretrained && !text.text("unit", "bpe").equals("bpe")) {
            text.complain(
                    "unit",
                    "data.text.unit has no meaning for a pretrained model, whose tokenizer goes"
                            + " with it; leave it out");
        }
    }

    /** Keys of {@code train} that have no meaning for a model. */
    static Set<String> withoutMeaning(ModelSpec model) {
        Set<String> keys = new HashSet<>();
        if (FamilyRules.takesRounds(model)) {
            keys.addAll(NOT_OF_TREES);
        } else if (model instanceof ModelSpec.KMeans kmeans) {
            keys.addAll(NOT_OF_CLUSTERS);
            keys.addAll(kmeans.takesAllSamples() ? OF_FITS : Set.of());
        }
        return keys;
    }

    private static void ofClusters(Section model, Section data, Section train) {
        for (String key : List.of("label", "weight", "task", "series")) {
            if (data.has(key)) {
                data.complain(
                        key,
                        "data.%s has no meaning for model kmeans, which finds groups without a label,"
                                        .formatted(key)
                                + " each row counting one; leave it out (a column that is not to"
                                + " be learnt from goes into data.table.drop)");
            }
        }
        without(NOT_OF_CLUSTERS, train, "model kmeans, which moves centres to means");
        if (model.text("algorithm", "lloyd").equals("lloyd")) {
            without(
                    OF_FITS,
                    train,
                    "model kmeans by lloyd, which takes all rows until it has converged:"
                            + " iterations, restarts and tolerance are keys of model");
        }
    }

    private static void without(Set<String> keys, Section train, String what) {
        for (String key : keys) {
            if (train.has(key)) {
                train.complain(
                        key, "train.%s has no meaning for %s; leave it out".formatted(key, what));
            }
        }
    }

    private void gradients(Section train) {
        batch(train);
        Section optimizer = train.section("optimizer");
        onlyOf(optimizer, "kind", optimizer.text("kind", "adamw"), OF_OPTIMIZERS);
        allSamples(train, optimizer);
        Section schedule = train.section("schedule");
        boolean isEndless = train.has("time") && !train.has("epochs") && !train.has("steps");
        String shape = schedule.text("kind", isEndless ? "constant" : "cosine");
        onlyOf(schedule, "kind", shape, OF_SCHEDULES);
        if (isEndless && shape.equals("cosine")) {
            endless(schedule);
        }
    }

    private static void strategy(Section strategy) {
        String kind = strategy.text("kind", "data-parallel");
        onlyOf(strategy, "kind", kind, OF_STRATEGIES);
        quorum(strategy, kind);
        if (takes("sync", kind)) {
            onlyOf(strategy, "sync", strategy.text("sync", "stale"), OF_SYNCS);
        }
        if (kind.equals("auto") && !strategy.text("compress", "none").equals("none")) {
            strategy.complain(
                    "compress",
                    "strategy.compress has no meaning for kind auto, which chooses the codec; leave"
                            + " it out, or name a strategy");
        }
        codec(strategy);
    }

    /** What a codec takes has a meaning if any border has that codec. */
    private static void codec(Section strategy) {
        Map<String, Set<String>> owners = new HashMap<>(OF_CODECS);
        for (Section border : strategy.sections("borders")) {
            String codec = border.text("codec", "none");
            owners.entrySet()
                    .removeIf(
                            each ->
                                    OF_BORDERS.contains(each.getKey())
                                            && each.getValue().contains(codec));
        }
        onlyOf(strategy, "compress", strategy.text("compress", "none"), owners);
    }

    private static void batch(Section train) {
        for (String key : List.of("batch_from", "batch_to")) {
            if (train.has(key) && !train.text("batch", "").equals("adaptive")) {
                train.complain(
                        key,
                        "train.%s has no meaning without train.batch: adaptive".formatted(key));
            }
        }
    }

    private void allSamples(Section train, Section optimizer) {
        if (!optimizer.text("kind", "").equals("lbfgs")) {
            return;
        }
        if (!root.section("model").text("family", "custom").equals("linear")) {
            train.complain("optimizer", "train.optimizer: lbfgs goes with model linear alone");
        }
        for (String key : OF_BATCHES) {
            if (train.has(key)) {
                train.complain(
                        key,
                        "train.%s has no meaning for train.optimizer lbfgs, whose steps take all"
                                        .formatted(key)
                                + " samples");
            }
        }
    }

    private static void quorum(Section strategy, String kind) {
        for (String key : OF_QUORUMS) {
            if (strategy.has(key) && takes(key, kind) && !strategy.has("quorum")) {
                strategy.complain(
                        key,
                        "strategy.%s has no meaning without strategy.quorum, where not all are"
                                        .formatted(key)
                                + " waited for");
            }
        }
    }

    private static void cluster(Section cluster) {
        for (String key : OF_MACHINES) {
            if (cluster.has(key) && !cluster.has("listen")) {
                cluster.complain(
                        key,
                        "cluster.%s has no meaning without cluster.listen, where machines join"
                                .formatted(key));
            }
        }
    }

    private static void source(Section data) {
        String custom = DataFormat.CUSTOM.name().toLowerCase(java.util.Locale.ROOT);
        if (data.has("class") && !data.text("format", custom).equals(custom)) {
            data.complain(
                    "format",
                    "data.format: found %s beside data.class, expected custom; remove one of them"
                            .formatted(data.text("format", custom)));
        } else if (!data.has("class") && data.text("format", "").equals(custom)) {
            data.complain("format", "data.format: custom needs data.class, the source's class");
        } else if (!data.has("class") && !data.has("train")) {
            data.complain(
                    "train", "data has no train; add train: with a file, a folder or a pattern");
        } else if (!data.has("class") && data.has("options")) {
            data.complain("options", "data.options belong to data.class, which is not there");
        }
    }

    private static void series(Section data) {
        if (!data.has("series")) {
            return;
        }
        Section series = data.section("series");
        boolean isLabelled = data.has("label");
        for (String key :
                isLabelled
                        ? List.of("weight", "group")
                        : List.of("weight", "group", "split", "validation", "task")) {
            if (data.has(key)) {
                data.complain(
                        key,
                        "data.%s has no meaning beside data.series, whose keys say what is asked for"
                                        .formatted(key)
                                + " and where training ends; remove one of them");
            }
        }
        for (String key : isLabelled ? OF_FORECASTS : List.of("columns")) {
            if (series.has(key)) {
                series.complain(
                        key,
                        isLabelled
                                ? ("data.series.%s has no meaning beside data.label, with which"
                                       + " each series is one sample that has one label; remove one"
                                       + " of them")
                                        .formatted(key)
                                : "data.series.columns goes with data.label, for series with one"
                                        + " label each; what is forecast is data.series.targets");
            }
        }
        if (isLabelled && !series.has("by")) {
            data.complain(
                    "series",
                    "data.series.by is needed beside data.label: name the columns that tell"
                            + " sequences apart");
        }
    }

    private static void split(Section data) {
        if (data.has("validation") && data.has("split")) {
            data.complain(
                    "split",
                    "data.split has no meaning beside data.validation, which gives the split;"
                            + " remove one of them");
        }
        Section split = data.section("split");
        String kind = split.text("kind", "stratified");
        if (split.has("by") && !kind.equals("stratified")) {
            split.complain(
                    "by",
                    "data.split.by has no meaning for kind %s; it goes with stratified"
                            .formatted(kind));
        }
    }

    private void family(Section data, String format) {
        Section model = root.section("model");
        String family = model.text("family", "custom");
        onlyOf(model, "form", model.text("form", "decoder"), OF_FORMS);
        onlyOf(model, "algorithm", model.text("algorithm", "lloyd"), OF_ALGORITHMS);
        boolean isEncoder = model.text("form", "").equals("encoder");
        Set<String> formats =
                isEncoder ? SEQUENCES : FORMATS_OF_FAMILIES.getOrDefault(family, Set.of(format));
        if (!formats.contains(format)) {
            data.complain(
                    "format",
                    "data.format: %s is nothing that model %s learns from; it takes %s"
                            .formatted(format, family, ordered(formats)));
        }
    }

    private static void onlyOf(
            Section section, String key, String kind, Map<String, Set<String>> owners) {
        for (String name : section.keys()) {
            Set<String> kinds = owners.getOrDefault(name, Set.of(kind));
            if (!kinds.contains(kind)) {
                section.complain(
                        name,
                        "%s has no meaning for %s %s; it goes with %s"
                                .formatted(section.path(name), key, kind, ordered(kinds)));
            }
        }
    }

    private static void endless(Section schedule) {
        schedule.complain(
                "kind",
                "train.schedule: cosine needs to know where training ends; set train.epochs or"
                        + " train.steps beside train.time, or take constant");
    }

    private static String ordered(Set<String> words) {
        return String.join(", ", List.copyOf(words).stream().sorted().toList());
    }
}
