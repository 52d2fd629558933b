package dev.medley.api.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.api.schema.JobReference;
import dev.medley.api.yaml.Quantity;
import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.DataFormat;
import dev.medley.base.job.DataSpec;
import dev.medley.base.job.JobSpec;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.OptimizerSpec;
import dev.medley.base.job.ScheduleSpec;
import dev.medley.base.job.TrainSpec;
import dev.medley.base.strategy.StrategySpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class JobFileTest {
    private static final String HEAD = "data: a.csv\nmodel: mlp\n";

    static JobSpec job(String yaml, String... overrides) {
        return JobFile.parse("job.yaml", yaml, Path.of("/x"), List.of(overrides)).spec();
    }

    @Test
    void shouldReadTheSmallestUsefulJob() {
        JobSpec job =
                job(
                        """
                        name: adult
                        data: {train: adult.csv, label: income}
                        model: mlp
                        train: {epochs: 4}
                        """);
        assertThat(job.name()).isEqualTo("adult");
        assertThat(job.data().train()).containsExactly("/x/adult.csv");
        assertThat(job.data().label()).isEqualTo("income");
        assertThat(job.data().format()).isEqualTo(DataFormat.AUTO);
        assertThat(job.model()).isEqualTo(ModelSpec.Mlp.defaults());
        assertThat(job.train().budget()).isEqualTo(new TrainSpec.Budget(4, 0, 0));
        assertThat(job.cluster().workers()).isEqualTo(2);
    }

    @Test
    void shouldKnowResidualNetworksByName() {
        JobSpec job =
                job(
                        "data: {train: a, image: {flip: true, shift: 4, cutout: 8}}\n"
                                + "model: resnet50\n");
        assertThat(job.model()).isEqualTo(new ModelSpec.Resnet(50));
        assertThat(job.data().image())
                .isEqualTo(new DataSpec.ImageSpec(0, 0, true, 4, false, 0, 8));
        assertThat(job("data: a\nmodel: resnet\n").model()).isEqualTo(new ModelSpec.Resnet(18));
        assertThat(job("data: a\nmodel: cnn\n", "model=resnet34").model())
                .isEqualTo(new ModelSpec.Resnet(34));
    }

    @Test
    void settingsOfPartsShouldComeAfterThoseOfTheWhole() {
        String yaml = HEAD + "strategy: {kind: diloco, sync_every: 8}\n";
        StrategySpec local = job(yaml, "strategy=local-sgd").strategy();
        assertThat(local.round().syncEvery()).as("the whole key").isEqualTo(16);
        StrategySpec part = job(yaml, "strategy.sync_every=4", "strategy=local-sgd").strategy();
        assertThat(part.round().syncEvery()).isEqualTo(4);
        assertThat(job(HEAD, "seed=1", "seed=2").seed()).as("the last one").isEqualTo(2);
        assertThatThrownBy(() -> job(HEAD, "strategy.sync_evry=4", "strategy=diloco"))
                .hasMessageContaining("did you mean sync_every");
    }

    @Test
    void oneWordShouldBeAListOfOneWhereAListMayStand() {
        for (String key : List.of("missing", "drop", "categorical", "numeric")) {
            assertThat(job(HEAD, "data.table." + key + "=c").data())
                    .as(key)
                    .isEqualTo(job(HEAD, "data.table." + key + "=[c]").data())
                    .isNotEqualTo(job(HEAD).data());
        }
    }

    @Test
    void shouldAcceptShortForms() {
        assertThat(job("data: [a.csv, b.csv]\nmodel: linear\n").data().train())
                .containsExactly("/x/a.csv", "/x/b.csv");
        assertThat(job("data: a\nmodel: com.acme.Net\n").model())
                .isEqualTo(new ModelSpec.Custom(new ClassSpec("com.acme.Net", Map.of())));
        assertThat(job(HEAD + "cluster: 5\n").cluster().workers()).isEqualTo(5);
        assertThat(job(HEAD + "checkpoint: 5m\n").checkpoint().everyNs())
                .isEqualTo(300_000_000_000L);
        assertThat(job(HEAD + "strategy: data-parallel\n").strategy())
                .isEqualTo(StrategySpec.defaults());
        assertThat(job("data: {train: a, split: 0.2}\nmodel: mlp\n").data().split())
                .isEqualTo(new DataSpec.SplitSpec(DataSpec.SplitKind.RANDOM, 0.2, null));
        assertThat(job("data: {train: a, split: {by: c}}\nmodel: mlp\n").data().split())
                .isEqualTo(new DataSpec.SplitSpec(DataSpec.SplitKind.STRATIFIED, 0.1, "c"));
        TrainSpec train =
                job(HEAD + "train: {optimizer: sgd, schedule: step, loss: mse, metrics: rmse}\n")
                        .train();
        assertThat(train.optimizer()).isEqualTo(OptimizerSpec.defaults(OptimizerSpec.Kind.SGD));
        assertThat(train.schedule().kind()).isEqualTo(ScheduleSpec.Kind.STEP);
        assertThat(train.loss().kind()).isEqualTo(TrainSpec.LossKind.MEAN_SQUARED_ERROR);
        assertThat(train.metrics())
                .containsExactly(TrainSpec.MetricSpec.of(TrainSpec.MetricKind.RMSE));
    }

    @Test
    void anMlpThatNamesItsLayersShouldBeTheseAndWhatElseItNames() {
        ModelSpec.Mlp usual = ModelSpec.Mlp.defaults();
        assertThat(job(HEAD).model()).isEqualTo(usual);
        assertThat(job(HEAD).train().optimizer().learningRate()).isEqualTo(0.003);
        for (String named : List.of("hidden: [256, 64]", "activation: relu", "dropout: 0")) {
            JobSpec plain = job("data: a.csv\nmodel: {family: mlp, " + named + "}\n");
            assertThat(plain.model()).as(named).isEqualTo(ModelSpec.Mlp.plain());
            assertThat(plain.train().optimizer())
                    .isEqualTo(OptimizerSpec.defaults(OptimizerSpec.Kind.ADAMW));
        }
        assertThat(job(HEAD, "model.ensemble=true").model())
                .isEqualTo(
                        new ModelSpec.Mlp(
                                usual.hidden(),
                                usual.activation(),
                                usual.dropout(),
                                usual.numeric(),
                                0,
                                usual.wide(),
                                32));
        assertThat(((ModelSpec.Mlp) job(HEAD, "model.ensemble=8").model()).ensemble()).isEqualTo(8);
        assertThat(job(HEAD, "model.ensemble=false").model()).isEqualTo(usual);
        assertThat(job(HEAD, "train.label_smoothing=0.1").train().loss().labelSmoothing())
                .isEqualTo(0.1);
    }

    @Test
    void tablesShouldGetEnoughStepsUnlessTheJobSaysHowMany() {
        for (String model : List.of("mlp", "linear")) {
            String head = "data: {train: t.csv, label: y}\nmodel: " + model + "\n";
            TrainSpec usual = job(head).train();
            assertThat(usual.budget().leastSteps()).isEqualTo(2000);
            assertThat(usual.stop().patience()).isEqualTo(10);
            assertThat(usual.stop().patienceSteps()).isEqualTo(400);
            assertThat(usual.schedule().warmupShare()).isEqualTo(0.1);
            for (String said : List.of("epochs: 3", "steps: 70", "time: 5s")) {
                TrainSpec own = job(head + "train: {" + said + "}\n").train();
                assertThat(own.budget().leastSteps()).as(said).isZero();
                assertThat(own.stop().patience()).as(said).isZero();
                assertThat(own.stop().patienceSteps()).as(said).isZero();
            }
            TrainSpec both =
                    job(head + "train: {epochs: 3, least_steps: 9, stop: {patience: 2}}\n").train();
            assertThat(both.budget()).isEqualTo(new TrainSpec.Budget(3, 0, 0, 9));
            assertThat(both.stop().patience()).isEqualTo(2);
            assertThat(both.stop().patienceSteps()).isZero();
            TrainSpec asked = job(head + "train: {stop: {patience: 9}}\n").train();
            assertThat(asked.stop().patienceSteps()).isZero();
        }
        TrainSpec images = job("data: {train: images}\nmodel: cnn\n").train();
        assertThat(images.budget()).isEqualTo(TrainSpec.Budget.ofEpochs(10));
        assertThat(images.stop().patience()).isZero();
        assertThat(images.schedule().warmupShare()).isEqualTo(0.25);
        assertThatThrownBy(() -> job(HEAD + "train: {steps: 5, least_steps: 9}\n"))
                .hasMessageContaining("least_steps=9")
                .hasMessageContaining("train.epochs");
        assertThatThrownBy(() -> job(HEAD + "train: {least_step: 9}\n"))
                .hasMessageContaining("did you mean least_steps");
    }

    @Test
    void shouldReadQuantities() {
        JobSpec job =
                job(
                        HEAD
                                + "train: {time: 1.5m}\n"
                                + "cluster: {heartbeat: 250ms, step_timeout: 1 h}\n"
                                + "strategy: {bucket: 512 KiB}\n"
                                + "checkpoint: {every: 30}\n");
        assertThat(job.train().budget()).isEqualTo(new TrainSpec.Budget(0, 0, 90));
        assertThat(job.cluster().heartbeatNs()).isEqualTo(250_000_000L);
        assertThat(job.cluster().stepTimeoutNs()).isEqualTo(3_600_000_000_000L);
        assertThat(job.strategy().bucketBytes()).isEqualTo(512 << 10);
        assertThat(job.checkpoint().everyNs()).isEqualTo(30_000_000_000L);
        assertThat(Quantity.sizeBytes("4MB")).isEqualTo(4_000_000);
        assertThat(Quantity.sizeBytes("1.5 GiB")).isEqualTo(3L << 29);
    }

    @Test
    void shouldHandOptionsOverAsTheyWereTyped() {
        TrainSpec train =
                job(HEAD
                                + "train:\n"
                                + "  loss: {class: com.acme.Focal, options: {gamma: 1e-3}}\n"
                                + "  metrics: [auc, com.acme.Lift]\n"
                                + "  callbacks: [com.acme.Notify]\n")
                        .train();
        assertThat(train.loss().custom())
                .isEqualTo(new ClassSpec("com.acme.Focal", Map.of("gamma", "1e-3")));
        assertThat(train.metrics().get(1).custom())
                .isEqualTo(new ClassSpec("com.acme.Lift", Map.of()));
        assertThat(train.callbacks()).containsExactly(new ClassSpec("com.acme.Notify", Map.of()));
        DataSpec data = job("data: {class: com.acme.Source}\nmodel: mlp\n").data();
        assertThat(data.format()).isEqualTo(DataFormat.CUSTOM);
    }

    @Test
    void shouldLetTheCommandLineComeFirst() {
        JobSpec job =
                job(
                        HEAD + "train: {batch: 64, metrics: [auc]}\n",
                        "train.batch=128",
                        "model.hidden=[8]",
                        "train.metrics.0=accuracy",
                        "train.optimizer.learning_rate=1e-2",
                        "name=other");
        assertThat(job.train().batch()).isEqualTo(128);
        assertThat(job.model())
                .isEqualTo(new ModelSpec.Mlp(List.of(8), ModelSpec.Activation.RELU, 0));
        assertThat(job.train().metrics())
                .containsExactly(TrainSpec.MetricSpec.of(TrainSpec.MetricKind.ACCURACY));
        assertThat(job.train().optimizer().learningRate()).isEqualTo(0.01);
        assertThat(job.name()).isEqualTo("other");
        assertThat(job(HEAD, "model=linear").model()).isEqualTo(new ModelSpec.Linear());
        assertThat(job(HEAD, "train.metrics.0=auc", "train.metrics.1=accuracy").train().metrics())
                .as("a list that the file lacks")
                .isEqualTo(job(HEAD, "train.metrics=[auc, accuracy]").train().metrics());
    }

    @Test
    void shouldChooseDefaultsByFamily() {
        TrainSpec cnn = job("data: a\nmodel: cnn\n").train();
        assertThat(cnn.batch()).isEqualTo(128);
        assertThat(cnn.optimizer().kind()).isEqualTo(OptimizerSpec.Kind.ADAMW);
        assertThat(cnn.optimizer().learningRate()).isEqualTo(0.002);
        assertThat(cnn.schedule().kind()).isEqualTo(ScheduleSpec.Kind.COSINE);
        JobSpec transformer = job("data: a\nmodel: transformer\n");
        assertThat(transformer.train().batch()).isEqualTo(32);
        assertThat(transformer.train().clipNorm()).isEqualTo(1);
        assertThat(transformer.data().split().kind()).isEqualTo(DataSpec.SplitKind.TAIL);
        assertThat(job(HEAD + "train: {time: 10s}\n").train().schedule().kind())
                .as("cosine needs an end in steps")
                .isEqualTo(ScheduleSpec.Kind.CONSTANT);
    }

    @Test
    void shouldResolvePathsAgainstTheFilesFolder(@TempDir Path folder) throws IOException {
        Path sub = Files.createDirectories(folder.resolve("jobs"));
        Path file =
                Files.writeString(
                        sub.resolve("My first job!.yaml"),
                        "data: {train: [../d/*.csv, /abs/a.csv]}\n"
                                + "model: mlp\ncluster: {class_path: lib/m.jar}\n");
        JobSpec job = JobFile.read(file, List.of()).spec();
        assertThat(job.data().train()).containsExactly(folder + "/d/*.csv", "/abs/a.csv");
        assertThat(job.cluster().classPath()).containsExactly(sub + "/lib/m.jar");
        assertThat(job.name()).isEqualTo("My-first-job-");
    }

    @Test
    void shouldReadEverythingThatTheReferenceShows() {
        for (JobReference.Key key : JobReference.keys()) {
            assertThat(key.title()).as(key.path()).isNotEmpty();
            assertThat(key.description()).as(key.path()).isNotEmpty();
        }
    }
}
