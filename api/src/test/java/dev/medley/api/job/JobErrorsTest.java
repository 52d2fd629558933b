package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.medley.base.ConfigException;
import dev.medley.base.text.DidYouMean;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every error of a job file names file, line and column, the value, and what was expected. */
@Tag("unit")
class JobErrorsTest {
    static final String HEAD = "data: {train: a.csv, label: y}\nmodel: mlp\n";

    static String errors(String yaml, String... overrides) {
        ConfigException e =
                catchThrowableOfType(
                        ConfigException.class,
                        () -> JobFile.parse("job.yaml", yaml, Path.of("/x"), List.of(overrides)));
        assertThat(e).as("an error about:%n%s", yaml).isNotNull();
        return e.getMessage();
    }

    static void expect(String yaml, String... lines) {
        assertThat(errors(yaml).lines()).containsExactly(lines);
    }

    @Test
    void shouldNameTheUnknownKeysOwnLineAndGuess() {
        expect(
                HEAD + "train:\n  batch: 32\n  epcohs: 4\n",
                "job.yaml:5:3: unknown key train.epcohs; did you mean epochs?");
        expect(
                HEAD + "train: {optimizer: {lr: 1}}\n",
                "job.yaml:3:21: unknown key train.optimizer.lr; did you mean learning_rate?");
        expect(
                HEAD + "epochs: 3\n",
                "job.yaml:3:1: unknown key epochs; did you mean train.epochs?");
        expect(
                "data: {train: a.csv}\nmodel: {family: cnn, chanels: [8]}\n",
                "job.yaml:2:22: unknown key model.chanels; did you mean channels?");
    }

    @Test
    void shouldListTheKeysWhereNoneIsNear() {
        assertThat(errors(HEAD + "strategy: {frobnicate: 1}\n"))
                .isEqualTo(
                        "job.yaml:3:12: unknown key strategy.frobnicate; strategy has the keys"
                            + " kind, transport, bucket, shares, balance, stragglers,"
                            + " straggler_bound, compress, density, density_steps,"
                            + " momentum_correction, residual_decay, codecs, borders, rank,"
                            + " exact_steps, sync_every, inner_batch, outer_lr, outer_momentum,"
                            + " outer, quorum, grace, late_decay, late_rounds, fragments, overlap,"
                            + " sync, staleness, servers, mix_every");
    }

    @Test
    void shouldSayWhatGoesWithMachinesThatJoin() {
        expect(
                HEAD + "cluster: {expect: 4}\n",
                "job.yaml:3:11: cluster.expect has no meaning without cluster.listen, where"
                        + " machines join");
        expect(
                HEAD + "cluster: {listen: 'a:70777'}\n",
                "job.yaml:3:11: cluster.listen=a:70777: HOST:PORT is needed, as in 0.0.0.0:7077");
        expect(
                HEAD + "cluster: {listen: 'a:1', agents: 3}\n",
                "job.yaml:3:26: unknown key cluster.agents; did you mean expect?");
    }

    @Test
    void shouldSayWhatGoesWithRankings() {
        String boosting = "model: boosting\n";
        String ranking = "data: {train: a.csv, label: y, group: q";
        assertThat(errors("data: {train: a.csv, label: y, task: ranking}\n" + boosting))
                .contains("data.task=ranking without data.group: name the column");
        assertThat(
                        errors(
                                "data: {train: a.csv, label: y, group: q, task: regression}\n"
                                        + boosting))
                .contains("data.group=q, data.task=regression: groups are for ranking");
        assertThat(errors(ranking + ", weight: w}\n" + boosting))
                .contains("data.weight=w, data.group=q: rows that are ranked together");
        assertThat(errors(ranking + ", split: stratified}\n" + boosting))
                .contains("data.split.kind=stratified, data.group=q: groups stay whole");
        assertThat(errors("data: {train: a.csv, label: y, group: y}\n" + boosting))
                .contains("data.group=y: it is data.label, too");
        for (String model : List.of("mlp", "forest", "{family: linear}")) {
            assertThat(errors(ranking + "}\nmodel: " + model))
                    .contains("data.group=q: model.family=boosting ranks, and ");
        }
        assertThat(
                        errors(
                                "data: {train: a.csv, label: y}\n"
                                        + "model: {family: boosting, ranking: ndcg}"))
                .contains("model.ranking without data.group: nothing is ranked here");
        assertThat(errors(ranking + "}\ntrain: {class_weights: balanced}\n" + boosting))
                .contains("train.class_weights with data.group: grades are no classes");
    }

    @Test
    void shouldSayWhatGoesWithSeries() {
        String series = "data: {train: a.csv, series: {time: t, horizon: 2}, label: y}\n";
        expect(
                series + "model: linear\n",
                "job.yaml:1:22: data.series.by is needed beside data.label: name the columns that"
                        + " tell sequences apart",
                "job.yaml:1:40: data.series.horizon has no meaning beside data.label, with which"
                        + " each series is one sample that has one label; remove one of them");
        expect(
                "data: {train: a.csv, series: {time: t, columns: v}}\nmodel: gru\n",
                "job.yaml:1:40: data.series.columns goes with data.label, for series with one label"
                        + " each; what is forecast is data.series.targets");
        assertThat(
                        errors(
                                "data: {train: a.csv, series: {time: t, horizon: 2, look_back:"
                                    + " 8}}\n"
                                    + "model: {family: transformer, form: encoder, patch: 9}\n"))
                .contains("model.patch=9 is longer than the 8 rows that are seen");
        expect(
                "data: {train: a.csv, series: {horizon: 2}}\nmodel: linear\n",
                "job.yaml:1:22: data.series has no time; add for example time: date");
        expect(
                "data: {train: a.csv, series: {time: t, horizon: 2, test: 0.5, validation: 0.5}}\n"
                        + "model: linear\n",
                "job.yaml:1:63: data.series.validation=0.5, data.series.test=0.5: nothing is left"
                        + " to train on");
        expect(
                "data: {train: a.txt, format: text, series: {time: t, horizon: 2}}\nmodel: mlp\n",
                "job.yaml:1:22: data.format: text is nothing that model mlp learns from; it takes"
                        + " auto, csv, custom, idx, images, jsonl, libsvm, parquet",
                "job.yaml:1:36: data.series has no meaning for format text; it goes with auto, csv,"
                        + " jsonl, parquet");
    }

    @Test
    void shouldReportSeveralErrorsInOrder() {
        expect(
                HEAD + "train:\n  epochs: many\n  batch: 0\n  precison: fp32\nseed: 1.5\n",
                "job.yaml:4:11: train.epochs: found the text 'many', expected a number",
                "job.yaml:5:10: train.batch: found the number 0, expected at least 1",
                "job.yaml:6:3: unknown key train.precison; did you mean precision?",
                "job.yaml:7:7: seed: found the number 1.5, expected a whole number");
    }

    @Test
    void shouldSayWhatWasExpected() {
        expect(
                HEAD + "train: {precision: fp23}\n",
                "job.yaml:3:20: train.precision: found the text 'fp23', expected one of fp32, bf16,"
                        + " auto, fp64; did you mean fp32?");
        expect(
                "data: {train: a.csv, label: 7}\nmodel: mlp\n",
                "job.yaml:1:29: data.label: found the number 7, expected a text; put it in quotes");
        expect(
                HEAD + "train: {optimizer: {learning_rate: 0}}\n",
                "job.yaml:3:36: train.optimizer.learning_rate: found the number 0, expected above"
                        + " 0");
        expect(
                HEAD + "cluster: {java_options: [-cp, my.jar]}\n",
                "job.yaml:3:11: cluster.java_options=[-cp, my.jar]: name jars and folders in"
                        + " cluster.class_path, beside which Medley's own are");
        expect(
                HEAD + "cluster: {java_options: [--class-path=my.jar]}\n",
                "job.yaml:3:11: cluster.java_options=[--class-path=my.jar]: name jars and folders"
                        + " in cluster.class_path, beside which Medley's own are");
        expect(
                HEAD + "cluster: {heartbeat: 5 lightyears}\n",
                "job.yaml:3:22: cluster.heartbeat: found the text '5 lightyears', expected a"
                        + " duration such as 500ms, 30s, 2m or 1h, or a number of seconds");
        expect(
                HEAD + "strategy: {bucket: [4]}\n",
                "job.yaml:3:20: strategy.bucket: found a list of 1, expected a size such as 64KB,"
                        + " 4MB or 512 MiB, or a number of bytes");
        expect(
                HEAD + "data: {train: b.csv}\n",
                "job.yaml:3:1: data is written twice; the first is in line 1");
        expect(
                HEAD + "train:\n  epochs:\n",
                "job.yaml:4:3: train.epochs has no value; give it one or remove the key");
        expect(
                HEAD + "train: [4]\n",
                "job.yaml:3:8: train: found a list of 1, expected a mapping of keys");
    }

    @Test
    void clustersShouldTakeNeitherALabelNorAnOptimizer() {
        expect(
                "data: {train: a.csv, label: churn}\nmodel: kmeans\n",
                "job.yaml:1:22: data.label has no meaning for model kmeans, which finds groups"
                        + " without a label, each row counting one; leave it out (a column that is"
                        + " not to be learnt from goes into data.table.drop)");
        expect(
                "data: a.csv\nmodel: {family: kmeans, k: 0}\n",
                "job.yaml:2:28: model.k: found the number 0, expected at least 1");
        expect(
                "data: a.csv\nmodel: kmeans\ntrain: {optimizer: sgd}\n",
                "job.yaml:3:9: train.optimizer has no meaning for model kmeans, which moves centres"
                        + " to means; leave it out");
        expect(
                "data: a.csv\nmodel: kmeans\ntrain: {epochs: 3}\n",
                "job.yaml:3:9: train.epochs has no meaning for model kmeans by lloyd, which takes"
                        + " all rows until it has converged: iterations, restarts and tolerance are"
                        + " keys of model; leave it out");
        expect(
                "data: a.csv\nmodel: {family: kmeans, algorithm: mini-batch, iterations: 9}\n",
                "job.yaml:2:48: model.iterations has no meaning for algorithm mini-batch; it goes"
                        + " with lloyd");
        expect(
                "data: a.csv\nmodel: kmeans\nstrategy: diloco\n",
                "job.yaml:2:1: strategy=diloco, strategy.compress=none: model.family=kmeans sums"
                        + " over all workers in each step, exactly; leave them out");
    }

    @Test
    void shouldUnderstandWhichAlternativeWasMeant() {
        expect(
                "data: a.csv\nmodel: mpl\n",
                "job.yaml:2:8: model: found the text 'mpl', expected one of linear, mlp, cnn,"
                        + " resnet, resnet18, resnet34, resnet50, lstm, gru, transformer, boosting,"
                        + " forest, factorization, kmeans; did you mean mlp?");
        expect(
                "data: a\nmodel: resnet101\n",
                "job.yaml:2:8: model: found the text 'resnet101', expected one of linear, mlp,"
                        + " cnn, resnet, resnet18, resnet34, resnet50, lstm, gru, transformer,"
                        + " boosting, forest, factorization, kmeans; did you mean resnet18?");
        expect(
                "data: a\nmodel: {family: resnet, depth: 20}\n",
                "job.yaml:2:32: model.depth: found the number 20, expected one of 18, 34, 50");
        expect(
                "data: a.csv\nmodel: {family: transfomer, layers: 2}\n",
                "job.yaml:2:17: model.family: found the text 'transfomer', expected one of linear,"
                        + " mlp, cnn, resnet, lstm, gru, transformer, pretrained, boosting, forest,"
                        + " factorization, torchscript, kmeans, custom; did you mean"
                        + " transformer?");
        expect(
                "data: a.csv\nmodel: {hidden: [4]}\n",
                "job.yaml:2:1: model has no family; add for example family: mlp");
        expect(
                HEAD + "train: {metrics: [auc, acuracy]}\n",
                "job.yaml:3:24: train.metrics[1]: found the text 'acuracy', expected one of loss,"
                    + " accuracy, auc, pr_auc, precision, recall, f1, log_loss, mse, rmse, mae, r2,"
                    + " poisson_deviance, perplexity, ndcg, inertia; did you mean accuracy?");
        expect(
                "data: a.csv\nmodel: {family: mlp, hidden: [256, 0]}\n",
                "job.yaml:2:36: model.hidden[1]: found the number 0, expected at least 1");
        expect(
                "data: {train: [a.csv, 7]}\nmodel: mlp\n",
                "job.yaml:1:23: data.train[1]: found the number 7, expected a text; put it in"
                        + " quotes");
    }

    @Test
    void shouldSayWhatAnAdaptiveBatchTakes() {
        expect(
                HEAD + "train: {batch: adaptve}\n",
                "job.yaml:3:16: train.batch: found the text 'adaptve', expected one of adaptive;"
                        + " did you mean adaptive?");
        expect(
                HEAD + "train: {batch: 64, batch_to: 512}\n",
                "job.yaml:3:20: train.batch_to has no meaning without train.batch: adaptive");
        expect(
                HEAD + "train: {batch: adaptive, batch_from: 64, batch_to: 32}\n",
                "job.yaml:3:26: train.batch_from=64 > train.batch_to=32: an adaptive batch grows"
                        + " from the first to the second");
        expect(
                HEAD + "train: {batch: adaptive}\nstrategy: diloco\n",
                "job.yaml:3:9: train.batch=adaptive needs the gradients of single steps, which"
                    + " strategy=diloco does not exchange: take data-parallel, or leave it out");
        expect(
                HEAD + "strategy: {stragglers: shrink}\n",
                "job.yaml:3:12: strategy.stragglers=shrink, but shares do not follow speed: take"
                        + " strategy.balance=speed, or stragglers wait or leave");
    }

    @Test
    void shouldNameTheKeysThatContradictEachOther() {
        expect(
                HEAD + "train:\n  batch: 2\ncluster: 3\n",
                "job.yaml:4:3: train.batch=2 < cluster.workers=3: every worker needs a sample in"
                        + " each step; raise the batch or use fewer workers");
        expect(
                "data: a.txt\nmodel:\n  family: transformer\n  width: 100\n  heads: 3\n",
                "job.yaml:4:3: model.width=100, model.heads=3: the heads share the width evenly");
        expect(
                HEAD + "cluster:\n  heartbeat: 5s\n  peer_timeout: 10s\n",
                "job.yaml:5:3: cluster: peer_timeout=10s, heartbeat=5s: allow three heartbeats at"
                        + " least");
        expect(
                HEAD + "strategy: {shares: [1, 2, 3]}\n",
                "job.yaml:3:12: strategy.shares has 3 entries for 2 workers: one each");
        expect(
                HEAD + "strategy: {sync_every: 8}\n",
                "job.yaml:3:12: strategy.sync_every has no meaning for kind data-parallel; it goes"
                        + " with diloco, gossip, hybrid, local-sgd, parameter-server");
        expect(
                HEAD + "strategy: {kind: local-sgd, outer_lr: 1}\n",
                "job.yaml:3:29: strategy.outer_lr has no meaning for kind local-sgd; it goes with"
                        + " diloco, hybrid");
        expect(
                HEAD + "train: {batch: 1000000}\nstrategy: {kind: diloco, sync_every: 10000}\n",
                "job.yaml:4:26: strategy.sync_every=10000, train.batch=1000000: more than"
                        + " 2,147,483,647 samples between two exchanges");
        expect(
                HEAD + "train:\n  optimizer: {kind: adam, momentum: 0.9}\n",
                "job.yaml:4:27: train.optimizer.momentum has no meaning for kind adam; it goes with"
                        + " rmsprop, sgd");
        expect(
                "data: {train: a.csv, validation: b.csv, split: 0.2}\nmodel: mlp\n",
                "job.yaml:1:41: data.split has no meaning beside data.validation, which gives the"
                        + " split; remove one of them");
        expect(
                "data: {train: a, format: csv, image: {flip: true}}\nmodel: mlp\n",
                "job.yaml:1:31: data.image has no meaning for format csv; it goes with auto, idx,"
                        + " images");
        expect(
                "data: {train: a, format: idx}\nmodel: transformer\n",
                "job.yaml:1:18: data.format: idx is nothing that model transformer learns from; it"
                        + " takes auto, csv, custom, jsonl, parquet, text");
        expect(
                "data: {label: y}\nmodel: mlp\n",
                "job.yaml:1:1: data has no train; add train: with a file, a folder or a pattern");
    }

    @Test
    void shouldRefuseWhatIsNotAJob() {
        assertThat(errors("")).startsWith("job.yaml:1:1: the file is empty");
        assertThat(errors("# nothing\n")).startsWith("job.yaml:1:1: the file is empty");
        assertThat(errors("just some prose\n"))
                .isEqualTo(
                        "job.yaml:1:1: a job is a mapping of keys such as data: and model:, found"
                                + " the text 'just some prose'");
        assertThat(errors("model: mlp\n"))
                .isEqualTo("job.yaml:1:1: the job has no data; add for example data: adult.csv");
        assertThat(errors("data: a.csv\ntrain:\n\tepochs: 4\n"))
                .isEqualTo("job.yaml:3:1: a tab where YAML wants spaces: indent with spaces");
        assertThat(errors("data: [a.csv\nmodel: mlp\n"))
                .startsWith("job.yaml:2:")
                .contains("not YAML");
        assertThat(errors("data: a\u0000b\n")).startsWith("job.yaml:1:").contains("not text");
        assertThat(errors("data: !env HOME\nmodel: mlp\n"))
                .startsWith("job.yaml:1:7: the tag !env");
        assertThat(errors(HEAD + "seed: &a [*a]\n")).contains("within itself");
        assertThat(errors(HEAD + "train: {clip_norm: .inf}\n"))
                .contains(".inf is not a finite number");
    }

    @Test
    void shouldRefuseWhatWouldTakeMemoryOrDepthWithoutEnd() {
        for (String deep : List.of("[", "{a: ", "- ", "? ", "? [")) {
            assertThat(errors(deep.repeat(20_000)))
                    .as(deep)
                    .startsWith("job.yaml:1:")
                    .contains("nested deeper than 50 levels")
                    .hasSizeLessThan(300);
        }
        StringBuilder laughs = new StringBuilder(HEAD).append("a0: &a0 [1]\n");
        for (int i = 1; i <= 24; i++) {
            laughs.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
        }
        assertThat(errors(laughs.toString())).contains("more than 200,000 values");
        String many = HEAD + "a: &a [1]\nb: [" + "*a,".repeat(9_000) + "]\n";
        assertThat(errors(many)).contains("aliases");
        StringBuilder unknown = new StringBuilder(HEAD);
        for (int i = 0; i < 1_000; i++) {
            unknown.append("unknown%d: 1\n".formatted(i));
        }
        assertThat(errors(unknown.toString())).endsWith("and 900 more");
    }

    @Test
    void shouldRefuseNumbersThatNoDoubleHolds() {
        for (String number : List.of("1e999", "-1e99999999999", "1e-99999", ".nan", "!!float x")) {
            assertThat(errors(HEAD + "train: {clip_norm: " + number + "}\n"))
                    .as(number)
                    .startsWith("job.yaml:3:")
                    .contains(" is not a finite number");
        }
        assertThat(errors(HEAD + "seed: " + "9".repeat(100_000) + "\n"))
                .contains("a number of 100,000 characters")
                .hasSizeLessThan(300);
        assertThat(errors(HEAD + "seed: " + "9".repeat(3_000_000) + "\n"))
                .isEqualTo("job.yaml:3:1: 3,000,006 characters in one line, 500,000 are the most");
        assertThat(errors(HEAD + "seed: 99999999999999999999\n")).startsWith("job.yaml:3:");
        for (String large : List.of("1e300", "1e19", "-1e30", "99999999999999999999")) {
            assertThat(errors(HEAD + "train: {batch: " + large + "}\n")).startsWith("job.yaml:3:");
        }
    }

    @Test
    void shouldNameTheOverride() {
        assertThat(errors(HEAD, "train.epochs=many"))
                .isEqualTo(
                        "-s train.epochs=many: train.epochs: found the text 'many', expected a"
                                + " number");
        assertThat(errors(HEAD, "train.epcohs=1"))
                .isEqualTo("-s train.epcohs=1: unknown key train.epcohs; did you mean epochs?");
        assertThat(errors(HEAD, "train.epochs")).startsWith("-s train.epochs: not key=value");
        assertThat(errors(HEAD + "seed: 4\n", "seed.x=1"))
                .isEqualTo("-s seed.x=1: seed is the number 4 in the file: it has no keys");
        assertThat(errors(HEAD + "train: {metrics: [auc]}\n", "train.metrics.3=loss"))
                .isEqualTo(
                        "-s train.metrics.3=loss: the list has 1 entries: '3' is none of 0 to 1");
        assertThat(errors(HEAD, "train.batch=1"))
                .startsWith("-s train.batch=1: train.batch=1 < cluster.workers=2");
        assertThat(errors(HEAD, "train.metrics=[auc"))
                .startsWith("-s train.metrics=[auc: not YAML");
    }

    @ParameterizedTest
    @CsvSource({"epcohs,epochs", "lerning_rate,learning_rate", "precison,precision"})
    void shouldGuess(String typed, String meant) {
        assertThat(DidYouMean.of(typed, List.of("epochs", "learning_rate", "precision", "batch")))
                .contains(meant);
    }

    @Test
    void shouldRefuseFilesThatCannotBeRead(@TempDir Path folder) throws IOException {
        Path missing = folder.resolve("no.yaml");
        assertThat(readError(missing)).startsWith(missing + ": there is no such file");
        assertThat(readError(folder)).startsWith(folder + ": is a folder, and a file is needed");
        Path latin =
                Files.write(
                        folder.resolve("l.yaml"),
                        "name: \u00e9".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(readError(latin)).startsWith(latin + ":1:7: not UTF-8");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void shouldRefuseWhatIsNoRegularFileAndNotWait(@TempDir Path folder) throws Exception {
        Path pipe = folder.resolve("pipe.yaml");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        assertThat(readError(pipe)).startsWith(pipe + ": is a pipe, and a file is needed");
        assertThat(readError(Path.of("/dev/zero"))).startsWith("/dev/zero: is a device");
        assertThatThrownBy(() -> PriceFile.read(pipe)).hasMessageContaining("is a pipe");
        assertThatThrownBy(() -> ClusterFile.toPlanFor(pipe)).hasMessageContaining("is a pipe");
    }

    private static String readError(Path file) {
        return catchThrowableOfType(ConfigException.class, () -> JobFile.read(file, List.of()))
                .getMessage();
    }

    @Test
    void shouldNameTheMissingDataFile(@TempDir Path folder) throws IOException {
        Path job =
                Files.writeString(
                        folder.resolve("job.yaml"), "data:\n  train: adult.csv\nmodel: mlp\n");
        JobFile read = JobFile.read(job, List.of());
        ConfigException e = catchThrowableOfType(ConfigException.class, read::requireFiles);
        assertThat(e)
                .hasMessage(
                        "%s:2:10: data.train: there is no %s ('adult.csv', from the job file's"
                                        .formatted(job, folder.resolve("adult.csv"))
                                + " folder)");
        Files.writeString(folder.resolve("adult.csv"), "a,b\n");
        read.requireFiles();
    }
}
