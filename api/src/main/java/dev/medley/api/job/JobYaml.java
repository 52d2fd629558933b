package dev.medley.api.job;

import dev.medley.api.yaml.Quantity;
import dev.medley.base.ConfigException;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.evaluation.ThresholdSpec;
import dev.medley.base.job.CheckpointSpec;
import dev.medley.base.job.ClusterSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.JoinSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.SeriesSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.model.FactorSpec;
import dev.medley.base.model.LoraSpec;
import dev.medley.base.model.TreeSpec;
import dev.medley.base.strategy.AsyncSpec;
import dev.medley.base.strategy.BorderCodec;
import dev.medley.base.strategy.CodecSpec;
import dev.medley.base.strategy.QuorumSpec;
import dev.medley.base.strategy.RoundSpec;
import dev.medley.base.strategy.StrategySpec;
import dev.medley.base.track.TrackSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLWriteFeature;

/**
 * Writes a job as the text of a job file: with every key, or briefly as its user would. Reading it
 * gives an equal job. With every key nothing is left to defaults, and paths are absolute.
 *
 * <p>Long because it names every key of a job once.
 */
public final class JobYaml {
    private static final YAMLMapper MAPPER =
            YAMLMapper.builder()
                    .disable(YAMLWriteFeature.WRITE_DOC_START_MARKER)
                    .disable(YAMLWriteFeature.SPLIT_LINES)
                    .build();

    private static final YAMLMapper PLAIN =
            MAPPER.rebuild()
                    .enable(YAMLWriteFeature.MINIMIZE_QUOTES)
                    .enable(YAMLWriteFeature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
                    .build();

    private JobYaml() {}

    /** The whole job. */
    public static String of(JobSpec job) {
        return MAPPER.writeValueAsString(root(job));
    }

    /**
     * The job as its user would write it: keys that are as they are by default are left out, short
     * forms are taken where there are any. Reading it gives an equal job as well.
     */
    public static String brief(JobSpec job) {
        JsonNode tree = BriefJob.of(job);
        if (tree == null) {
            return of(job);
        }
        String plain = PLAIN.writeValueAsString(tree);
        return isOf(plain, job) ? plain : MAPPER.writeValueAsString(tree);
    }

    /** {@link #brief}, and in comments below it every key with the value that it took. */
    public static String commented(JobSpec job) {
        return brief(job) + "\n# Every key:\n" + of(job).strip().replaceAll("(?m)^", "#   ") + "\n";
    }

    private static boolean isOf(String yaml, JobSpec job) {
        try {
            return JobFile.parse("job", yaml, Path.of("/"), List.of()).spec().equals(job);
        } catch (ConfigException e) {
            return false; // A text that would be something else without quotes.
        }
    }

    /** The same as a tree, for programs that look for single keys. */
    public static JsonNode tree(JobSpec job) {
        return MAPPER.valueToTree(root(job));
    }

    private static Mapping root(JobSpec job) {
        Mapping root = new Mapping();
        root.put("name", job.name());
        root.put("data", data(job.data()));
        root.put("model", model(job.model()));
        Mapping train = train(job.train());
        train.keySet().removeAll(Relations.withoutMeaning(job.model()));
        root.put("train", train);
        root.put("cluster", cluster(job.cluster()));
        root.put("strategy", strategy(job.strategy()));
        root.put("checkpoint", checkpoint(job.checkpoint()));
        root.put("track", track(job.track()), job.track() != null);
        root.put("seed", job.seed());
        return root;
    }

    /** Keys in the order of writing; what is null is left out. */
    private static final class Mapping extends java.util.LinkedHashMap<String, Object> {
        private static final long serialVersionUID = 1L;

        void put(String key, @Nullable Object value, boolean applies) {
            if (value != null && applies) {
                super.put(key, value);
            }
        }
    }

    /** A constant as a job file has it: {@code shared-memory}. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Mapping data(DataSpec d) {
        Mapping data = new Mapping();
        data.put("train", d.train(), !d.train().isEmpty());
        data.put("validation", d.validation(), !d.validation().isEmpty());
        data.put("format", word(d.format()));
        data.put("label", d.label(), true);
        data.put("weight", d.weight(), true);
        data.put("group", d.group(), true);
        if (d.custom() != null) {
            data.putAll(ownClass(d.custom()));
        }
        SeriesSpec series = d.series();
        boolean isForecast = series != null && d.label() == null;
        data.put("split", split(d.split()), d.validation().isEmpty() && !isForecast);
        data.put("series", series == null ? null : series(series, d.label() != null), true);
        String format = word(d.format());
        data.put("table", table(d.table()), Relations.takes("table", format));
        data.put("image", image(d.image()), Relations.takes("image", format));
        boolean isOfTexts = d.format() == DataFormat.AUTO || d.format() == DataFormat.TEXT;
        data.put("text", text(d.text()), isOfTexts || d.text().column() != null);
        Mapping cache = new Mapping();
        cache.put("memory", Quantity.size(d.cache().memoryBytes()));
        cache.put("disk", Quantity.size(d.cache().diskBytes()));
        data.put("cache", cache);
        data.put("prefetch", d.prefetchBatches());
        data.put("placement", word(d.placement()));
        data.put("task", word(d.task()), !isForecast && d.task() != DataSpec.Task.NONE);
        return data;
    }

    private static Mapping split(DataSpec.SplitSpec s) {
        Mapping split = new Mapping();
        split.put("kind", word(s.kind()));
        split.put("validation", s.validationFraction());
        split.put("by", s.by(), true);
        return split;
    }

    private static Mapping series(SeriesSpec s, boolean isLabelled) {
        Mapping series = new Mapping();
        series.put("time", s.time());
        series.put("by", s.by());
        series.put(isLabelled ? "columns" : "targets", s.targets());
        series.put("known", s.known(), !s.known().isEmpty());
        series.put("look_back", s.lookBack());
        series.put("horizon", s.horizon(), !isLabelled);
        series.put("scaling", word(s.scaling()), !isLabelled);
        series.put("validation", border(s.validation()), !isLabelled);
        series.put("test", border(s.test()), !isLabelled);
        series.put("until", s.until(), true);
        return series;
    }

    private static Object border(String border) {
        return SeriesSpec.isShare(border) ? (Object) SeriesSpec.share(border) : border;
    }

    private static Mapping table(DataSpec.TableSpec t) {
        Mapping table = new Mapping();
        table.put("delimiter", t.delimiter(), true);
        table.put("header", t.header(), true);
        table.put("decimal", t.decimal());
        table.put("dates", word(t.dates()));
        table.put("missing", t.missing());
        table.put("drop", t.drop());
        table.put("categorical", t.categorical());
        table.put("numeric", t.numeric());
        table.put("one_hot_limit", t.oneHotLimit());
        table.put("min_frequency", t.terms().minFrequency());
        table.put("max_categories", t.terms().maxCategories());
        table.put("text", t.terms().text());
        table.put("hashed", t.terms().hashed());
        table.put("vocabulary", t.terms().vocabulary());
        table.put("hash_bits", t.terms().hashBits());
        table.put("bad_rows", word(t.badRows()));
        table.put("scaling", word(t.scaling()));
        table.put("columns", t.columns(), !t.columns().isEmpty());
        return table;
    }

    private static Mapping image(DataSpec.ImageSpec i) {
        Mapping image = new Mapping();
        image.put("height", i.height());
        image.put("width", i.width());
        image.put("flip", i.flip());
        image.put("shift", i.shift());
        image.put("normalise", i.normalise());
        image.put("jitter", i.jitter());
        image.put("cutout", i.cutout());
        return image;
    }

    private static Mapping text(DataSpec.TextSpec t) {
        Mapping text = new Mapping();
        text.put("column", t.column(), true);
        text.put("unit", word(t.unit()));
        text.put("context", t.context());
        text.put("stride", t.stride());
        text.put("vocabulary", t.vocabulary(), t.unit() == DataSpec.TextUnit.BPE);
        text.put("include", t.include());
        return text;
    }

    private static Mapping model(ModelSpec m) {
        Mapping model = new Mapping();
        model.put("family", m.family());
        if (m instanceof ModelSpec.Mlp mlp) {
            model.put("hidden", mlp.hidden());
            model.put("activation", word(mlp.activation()));
            model.put("dropout", mlp.dropout());
            model.put("numeric", word(mlp.numeric()));
            model.put("embed", mlp.embed(), mlp.embed() > 0);
            model.put("wide", mlp.wide());
            model.put("ensemble", mlp.ensemble() > 0 ? mlp.ensemble() : (Object) false);
        } else if (m instanceof ModelSpec.Cnn cnn) {
            model.put("channels", cnn.channels());
            model.put("kernel", cnn.kernel());
            model.put("hidden", cnn.hidden());
            model.put("batch_norm", cnn.batchNorm());
            model.put("dropout", cnn.dropout());
        } else if (m instanceof ModelSpec.Resnet resnet) {
            model.put("depth", resnet.depth());
        } else if (m instanceof ModelSpec.Recurrent recurrent) {
            model.put("layers", recurrent.layers());
            model.put("width", recurrent.width());
            model.put("dropout", recurrent.dropout());
        } else if (m instanceof ModelSpec.Transformer transformer) {
            model.put("layers", transformer.layers());
            model.put("width", transformer.width());
            model.put("heads", transformer.heads());
            model.put("dropout", transformer.dropout());
            boolean isEncoder = transformer.form() == ModelSpec.Transformer.Form.ENCODER;
            model.put("form", word(transformer.form()));
            model.put("patch", transformer.patch(), isEncoder);
            model.put("patch_stride", transformer.patchStride(), isEncoder);
        } else if (m instanceof ModelSpec.Pretrained pretrained) {
            model.put("from", pretrained.from());
            model.put("dropout", pretrained.dropout());
            LoraSpec lora = pretrained.lora();
            model.put("lora", lora == null ? null : lora(lora), true);
        } else if (m instanceof ModelSpec.Boosting boosting) {
            model.put("rounds", boosting.rounds());
            model.put("learning_rate", boosting.learningRate());
            if (boosting.ranking() != null) {
                model.put("ranking", word(boosting.ranking()));
            }
            tree(model, boosting.tree());
        } else if (m instanceof ModelSpec.Forest forest) {
            model.put("trees", forest.rounds());
            tree(model, forest.tree());
        } else if (m instanceof ModelSpec.Factorization factorization) {
            factors(model, factorization.factors());
        } else if (m instanceof ModelSpec.TorchScript script) {
            model.put("file", script.file());
            model.put("sha256", script.sha256());
        } else if (m instanceof ModelSpec.KMeans kmeans) {
            model.put("k", kmeans.k());
            model.put("algorithm", word(kmeans.fit().algorithm()));
            model.put("restarts", kmeans.fit().restarts());
            model.put("iterations", kmeans.fit().iterations(), kmeans.takesAllSamples());
            model.put("tolerance", kmeans.fit().tolerance(), kmeans.takesAllSamples());
        } else if (m instanceof ModelSpec.Custom custom) {
            model.putAll(ownClass(custom.architecture()));
        }
        return model;
    }

    private static void factors(Mapping model, FactorSpec f) {
        model.put("user", f.user(), true);
        model.put("item", f.item(), true);
        model.put("sides", f.sides());
        model.put("rank", f.rank());
        model.put("feedback", word(f.feedback()));
        model.put("solver", word(f.solver()));
        model.put("rows", word(f.rows()));
        model.put("tables", word(f.tables()));
        model.put("iterations", f.iterations());
        model.put("l2", f.l2());
        model.put("confidence", f.confidence());
        model.put("negatives", f.negatives());
    }

    private static Mapping lora(LoraSpec l) {
        Mapping lora = new Mapping();
        lora.put("rank", l.rank());
        lora.put("alpha", l.alpha());
        lora.put("targets", l.targets());
        return lora;
    }

    private static void tree(Mapping model, TreeSpec t) {
        model.put("depth", t.depth());
        model.put("leaves", t.leaves());
        model.put("min_child_weight", t.minChildWeight());
        model.put("min_split_gain", t.minSplitGain());
        model.put("l1", t.l1());
        model.put("l2", t.l2());
        model.put("subsample", t.subsample());
        model.put("colsample", t.colsample());
        model.put("bins", t.bins());
        Mapping monotone = new Mapping();
        t.monotone().forEach((column, way) -> monotone.put(column, word(way)));
        model.put("monotone", monotone, !monotone.isEmpty());
    }

    private static Mapping train(TrainSpec t) {
        Mapping train = new Mapping();
        TrainSpec.Budget budget = t.budget();
        train.put("epochs", budget.epochs(), budget.epochs() > 0);
        train.put("steps", budget.steps(), budget.steps() > 0);
        String time = Quantity.duration(Math.round(budget.seconds() * 1e9));
        train.put("time", time, budget.seconds() > 0);
        train.put("least_steps", budget.leastSteps());
        boolean isAdaptive = t.batches().isAdaptive();
        boolean isOfBatches = !t.optimizer().takesAllSamples();
        train.put("batch", isAdaptive ? "adaptive" : (Object) t.batch(), isOfBatches);
        train.put("batch_from", t.batch(), isAdaptive);
        train.put("batch_to", t.batches().largest(), isAdaptive);
        train.put("noise_scale", t.batches().noise());
        ClassSpec loss = t.loss().custom();
        train.put("loss", loss == null ? word(t.loss().kind()) : ownClass(loss));
        TrainSpec.ClassWeights weights = t.loss().weights();
        train.put(
                "class_weights",
                weights.isBalanced() ? "balanced" : (Object) weights.byClass(),
                !weights.areNone());
        train.put("label_smoothing", t.loss().labelSmoothing());
        train.put("optimizer", optimizer(t.optimizer()));
        train.put("schedule", schedule(t.schedule()), isOfBatches);
        train.put("clip_norm", t.clipNorm());
        train.put("accumulate", t.accumulate(), isOfBatches);
        train.put("precision", word(t.precision()), isOfBatches);
        train.put("metrics", each(t.metrics(), JobYaml::metric), !t.metrics().isEmpty());
        train.put("evaluate_every", t.evaluateEverySteps());
        train.put("threshold", threshold(t.threshold()), true);
        Mapping stop = new Mapping();
        stop.put("target", t.stop().target(), true);
        stop.put("patience", t.stop().patience());
        stop.put("patience_steps", t.stop().patienceSteps());
        stop.put("min_gain", t.stop().minGain());
        train.put("stop", stop);
        train.put("groups", each(t.groups(), JobYaml::group));
        train.put("callbacks", each(t.callbacks(), JobYaml::ownClass));
        return train;
    }

    private static @Nullable Mapping threshold(@Nullable ThresholdSpec t) {
        if (t == null) {
            return null;
        }
        Mapping threshold = new Mapping();
        threshold.put("maximise", word(t.maximise()));
        threshold.put("true_positive", t.truePositive(), t.isOfProfit());
        threshold.put("false_positive", t.falsePositive(), t.isOfProfit());
        threshold.put("true_negative", t.trueNegative(), t.isOfProfit());
        threshold.put("false_negative", t.falseNegative(), t.isOfProfit());
        return threshold;
    }

    private static <T> List<Object> each(List<T> values, Function<T, Object> form) {
        return values.stream().map(form).toList();
    }

    private static Object metric(TrainSpec.MetricSpec metric) {
        return metric.custom() == null ? metric.name() : ownClass(metric.custom());
    }

    private static Mapping group(TrainSpec.ParameterGroupSpec g) {
        Mapping group = new Mapping();
        group.put("pattern", g.pattern());
        group.put("frozen", g.frozen());
        group.put("learning_rate", g.learningRate(), true);
        group.put("weight_decay", g.weightDecay(), true);
        return group;
    }

    private static Mapping optimizer(OptimizerSpec o) {
        Mapping optimizer = new Mapping();
        String kind = word(o.kind());
        optimizer.put("kind", kind);
        optimizer.put("learning_rate", o.learningRate(), Relations.takes("learning_rate", kind));
        optimizer.put("momentum", o.momentum(), Relations.takes("momentum", kind));
        optimizer.put("nesterov", o.nesterov(), Relations.takes("nesterov", kind));
        optimizer.put("beta1", o.beta1(), Relations.takes("beta1", kind));
        optimizer.put("beta2", o.beta2(), Relations.takes("beta2", kind));
        optimizer.put("epsilon", o.epsilon(), Relations.takes("epsilon", kind));
        optimizer.put("weight_decay", o.weightDecay());
        OptimizerSpec.QuasiNewton quasiNewton = o.quasiNewton();
        if (quasiNewton != null) {
            optimizer.put("history", quasiNewton.history());
            optimizer.put("tolerance", quasiNewton.tolerance());
            optimizer.put("l1", quasiNewton.l1());
            optimizer.put("standard_errors", !quasiNewton.withoutErrors());
        } else {
            optimizer.put("l1", o.l1(), Relations.takes("l1", kind));
        }
        return optimizer;
    }

    private static Mapping schedule(ScheduleSpec s) {
        Mapping schedule = new Mapping();
        String kind = word(s.kind());
        schedule.put("kind", kind);
        schedule.put("warmup", s.warmupSteps());
        schedule.put("warmup_share", s.warmupShare());
        schedule.put("every", s.stepEpochs(), Relations.takes("every", kind));
        schedule.put("factor", s.stepFactor(), Relations.takes("factor", kind));
        schedule.put("floor", s.floor(), Relations.takes("floor", kind));
        return schedule;
    }

    private static Mapping cluster(ClusterSpec c) {
        Mapping cluster = new Mapping();
        JoinSpec join = c.join();
        cluster.put(join == null ? "workers" : "expect", c.workers());
        if (join != null) {
            cluster.put("listen", join.listen());
            cluster.put("join_timeout", Quantity.duration(join.timeoutNs()));
            cluster.put("begin", word(join.begin()));
            cluster.put("send", Quantity.size(join.sendBytes()));
            cluster.put("data_store", join.dataStore(), join.dataStore() != null);
            cluster.put("credentials", join.credentials(), join.credentials() != null);
            cluster.put("token_file", join.tokenFile(), join.tokenFile() != null);
            cluster.put("encrypt", word(join.encrypt()));
        }
        cluster.put("threads", c.threads());
        cluster.put("java_options", c.javaOptions());
        cluster.put("class_path", c.classPath());
        cluster.put("heartbeat", Quantity.duration(c.heartbeatNs()));
        cluster.put("peer_timeout", Quantity.duration(c.peerTimeoutNs()));
        cluster.put("step_timeout", Quantity.duration(c.stepTimeoutNs()));
        cluster.put("restarts", c.restarts());
        return cluster;
    }

    private static Mapping strategy(StrategySpec s) {
        Mapping strategy = new Mapping();
        String kind = word(s.kind());
        strategy.put("kind", kind);
        strategy.put("transport", word(s.transport()));
        strategy.put("bucket", Quantity.size(s.bucketBytes()));
        strategy.put("shares", s.shares());
        strategy.put("balance", word(s.balance()));
        strategy.put("stragglers", word(s.stragglers().policy()));
        strategy.put("straggler_bound", s.stragglers().bound());
        strategy.put("compress", word(s.compress()));
        CodecSpec c = s.codec();
        String codec = word(s.compress());
        strategy.put("density", c.density(), takes("density", s));
        strategy.put("density_steps", c.densitySteps(), takes("density_steps", s));
        strategy.put(
                "momentum_correction",
                c.correctsMomentum(),
                Relations.takes("momentum_correction", codec));
        strategy.put("residual_decay", c.residualDecay(), takes("residual_decay", s));
        List<String> among = c.among().stream().map(JobYaml::word).toList();
        strategy.put("codecs", among, Relations.takes("codecs", codec));
        strategy.put("rank", c.rank(), Relations.takes("rank", codec));
        strategy.put("borders", each(c.borders(), JobYaml::border), !c.borders().isEmpty());
        strategy.put("exact_steps", c.exactSteps(), takes("exact_steps", s));
        RoundSpec r = s.round();
        boolean isInner = r.innerBatch() > 0 && Relations.takes("inner_batch", kind);
        strategy.put("sync_every", r.syncEvery(), Relations.takes("sync_every", kind));
        strategy.put("inner_batch", r.innerBatch(), isInner);
        strategy.put("outer_lr", r.outerRate(), Relations.takes("outer_lr", kind));
        strategy.put("outer_momentum", r.outerMomentum(), Relations.takes("outer_momentum", kind));
        String outer = word(r.outer());
        strategy.put("outer", outer, Relations.takes("outer", kind) && !outer.equals("nesterov"));
        QuorumSpec q = r.quorum();
        strategy.put("quorum", q.quorum(), !q.isNone());
        strategy.put("grace", grace(q), !q.isNone());
        boolean isGated = !q.isNone() && Relations.takes("late_decay", kind);
        strategy.put("late_decay", q.lateDecay(), isGated);
        strategy.put("late_rounds", q.lateRounds(), !q.isNone());
        strategy.put("fragments", r.stream().fragments(), Relations.takes("fragments", kind));
        strategy.put("overlap", r.stream().overlap(), Relations.takes("overlap", kind));
        AsyncSpec a = s.async();
        strategy.put("sync", word(a.sync()), Relations.takes("sync", kind));
        strategy.put("staleness", a.staleness(), a.sync() == AsyncSpec.Sync.STALE);
        strategy.put("servers", word(a.servers()), Relations.takes("servers", kind));
        strategy.put("mix_every", a.mixEvery(), Relations.takes("mix_every", kind));
        return strategy;
    }

    /** Whether a key has a meaning for the codec of any border. */
    private static boolean takes(String key, StrategySpec s) {
        return Relations.takes(key, word(s.compress()))
                || s.codec().borders().stream()
                        .anyMatch(b -> Relations.takes(key, word(b.codec())));
    }

    private static Mapping border(BorderCodec b) {
        Mapping border = new Mapping();
        border.put("from", b.from());
        border.put("to", b.to());
        border.put("codec", word(b.codec()));
        return border;
    }

    private static String grace(QuorumSpec q) {
        return q.graceNs() > 0 || q.graceShare() == 0
                ? Quantity.duration(q.graceNs())
                : Quantity.percent(q.graceShare());
    }

    private static Mapping checkpoint(CheckpointSpec c) {
        Mapping checkpoint = new Mapping();
        checkpoint.put("every_steps", c.everySteps());
        checkpoint.put("every", Quantity.duration(c.everyNs()));
        checkpoint.put("keep", c.keep());
        checkpoint.put("store", c.store(), c.store() != null);
        return checkpoint;
    }

    private static @Nullable Mapping track(@Nullable TrackSpec t) {
        if (t == null) {
            return null;
        }
        Mapping track = new Mapping();
        track.put("mlflow", t.mlflow(), true);
        track.put("experiment", t.experiment(), true);
        track.put("register", t.register(), true);
        track.put("required", t.required(), t.mlflow() != null);
        boolean isInRun = TrackSpec.IN_RUN.equals(t.tensorboard());
        track.put("tensorboard", isInRun ? (Object) true : t.tensorboard(), true);
        return track;
    }

    private static Mapping ownClass(ClassSpec c) {
        Mapping ownClass = new Mapping();
        ownClass.put("class", c.className());
        ownClass.put("options", new java.util.TreeMap<>(c.options()), !c.options().isEmpty());
        return ownClass;
    }
}
