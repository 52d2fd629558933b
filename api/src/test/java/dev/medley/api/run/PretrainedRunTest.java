package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.api.job.JobFile;
import dev.medley.api.job.JobYaml;
import dev.medley.api.predict.PredictOptions;
import dev.medley.api.predict.Predictor;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
import dev.medley.data.shard.PreparationProgress;
import dev.medley.inference.model.GenerateOptions;
import dev.medley.record.entry.StepRecord;
import dev.medley.store.file.Safetensors;
import dev.medley.store.file.StoredTensor;
import dev.medley.store.model.ModelFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that begin with a tiny model of transformers', learning all of it or adapters alone. */
@Tag("real")
@Timeout(120)
class PretrainedRunTest {
    private static final Path FIXTURES = Path.of("../inference/src/test/resources/pretrained");
    private static final List<String> ADAPTED = List.of("model.lora={rank: 2, targets: [qkv, up]}");

    @TempDir private Path folder;

    @Test
    void adaptersShouldLearnAloneAndGoOnAsIfNothingHadHappened() throws IOException {
        Path base = base();
        RunResult whole = train(ADAPTED, RunProgress.NONE);
        assertThat(ModelFolder.read(whole.folder().model()).weights())
                .hasSize(2 * 2 * 2)
                .allMatch(array -> array.name().contains(".lora_"));
        assertAdaptersOfPeft(whole.folder().model());
        String text;
        try (TrainedModel model = TrainedModel.load(whole.folder().model(), 1)) {
            double loss = model.evaluate(Dataset.bytes(folder.resolve("text.txt"), 16)).get("loss");
            double judged = whole.summary().metrics().get(0).value();
            assertThat(loss).as("merged, as it was in training").isCloseTo(judged, within(1e-4));
            assertThat(loss).isLessThan(lossOf(base) - 0.1);
            text = model.generate("The lazy", new GenerateOptions(8, 0, 1));
        }
        assertThat(text).isNotBlank();

        Path part = train(ADAPTED, new StoppedInStepFive()).folder().path();
        RunResult rest =
                JobRun.train(JobRun.jobOf(part), Runs.in(runs()).resuming(part), RunProgress.NONE);
        assertThat(rest.outcome().parameterHash()).isEqualTo(whole.outcome().parameterHash());

        Files.delete(base.resolve("model.safetensors"));
        assertThatThrownBy(() -> TrainedModel.load(whole.folder().model(), 1))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("has no model.safetensors");
    }

    private static final class StoppedInStepFive implements RunProgress {
        private Interruptible run = () -> {};

        @Override
        public void interruptible(Interruptible interruptible) {
            run = interruptible;
        }

        @Override
        public void stepped(StepRecord step) {
            if (step.step() == 5) {
                run.interrupt();
            }
        }
    }

    private static void assertAdaptersOfPeft(Path model) throws IOException {
        assertThat(Safetensors.open(model.resolve("adapter_model.safetensors")).tensors())
                .extracting(StoredTensor::name)
                .contains("base_model.model.transformer.h.0.attn.c_attn.lora_A.weight")
                .contains("base_model.model.transformer.h.1.mlp.c_fc.lora_B.weight")
                .hasSize(8);
        assertThat(Files.readString(model.resolve("adapter_config.json")))
                .contains("\"r\" : 2", "\"fan_in_fan_out\" : true", "c_attn|mlp");
    }

    private double lossOf(Path base) {
        try (TrainedModel model = TrainedModel.load(base, 1)) {
            return model.evaluate(Dataset.bytes(folder.resolve("text.txt"), 16)).get("loss");
        }
    }

    @Test
    void allParametersShouldLearnWithoutAdapters() throws IOException {
        Path base = base();
        RunResult run = train(List.of("train.optimizer.learning_rate=0.003"), RunProgress.NONE);
        assertThat(ModelFolder.read(run.folder().model()).weights()).hasSize(28);
        Files.delete(base.resolve("model.safetensors"));
        try (TrainedModel model = TrainedModel.load(run.folder().model(), 1)) {
            assertThat(model.generate("The lazy", new GenerateOptions(8, 0, 1))).isNotBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{family: pretrained, from: bert, lora: {rank: 4}}",
                "{family: transformer, form: encoder, layers: 1, width: 16, heads: 2}"
            })
    void textsOfATableShouldBeClassified(String model) throws IOException {
        copy("bert");
        StringBuilder rows = new StringBuilder("sort,review\n");
        StringBuilder fresh = new StringBuilder("review\n");
        for (int i = 0; i < 120; i++) {
            String animal = i % 2 == 0 ? "dog" : "fox";
            rows.append(animal, 0, 1).append(",the lazy ").append(animal).append(i % 7);
            rows.append(i % 3 == 0 ? " jumps\n" : " over\n");
            fresh.append("over the ").append(animal).append('\n');
        }
        Files.writeString(folder.resolve("reviews.csv"), rows);
        Path asked = Files.writeString(folder.resolve("new.csv"), fresh);
        String job =
                """
                name: sorts
                data: {train: reviews.csv, label: sort, text: {column: review, context: 16}}
                model: %s
                train: {steps: 60, batch: 16, evaluate_every: 60, optimizer: {learning_rate: 0.01}}
                cluster: {workers: 2, threads: 1}
                """
                        .formatted(model);
        JobSpec spec = JobFile.parse("sorts.yaml", job, folder, List.of()).spec();
        for (String written : List.of(JobYaml.brief(spec), JobYaml.of(spec))) {
            assertThat(JobFile.parse("sorts.yaml", written, folder, List.of()).spec())
                    .isEqualTo(spec);
        }
        RunResult run = JobRun.train(spec, Runs.in(runs()), RunProgress.NONE);
        Path out = folder.resolve("sorted.csv");
        try (TrainedModel trained = TrainedModel.load(run.folder().model(), 1)) {
            new Predictor(trained, new PredictOptions(1, 1))
                    .write(Predictor.like(trained, asked), out, PreparationProgress.NONE);
        }
        List<String> lines = Files.readAllLines(out);
        assertThat(lines).hasSize(121);
        long right = lines.stream().filter(l -> l.matches("over the (dog,d|fox,f)\\b.*")).count();
        assertThat(right).as("%s", lines.subList(0, 3)).isGreaterThan(110);
    }

    @Test
    void whatDoesNotFitShouldBeRefusedBeforeThereIsARun() throws IOException {
        Path base = base();
        assertRefused(List.of("data.text.context=25"), "longer than the 24 positions");
        assertRefused(List.of("model.from=" + folder.resolve("none")), "there is no such folder");
        assertRefused(List.of("data.text.unit=bytes"), "whose tokenizer goes with it");
        assertRefused(List.of("model.lora.targets=[query]"), "some of qkv, out, up and down");
        Files.delete(base.resolve("tokenizer.json"));
        assertRefused(List.of(), "there is no such tokenizer");
        assertThat(runs()).doesNotExist();
    }

    private void assertRefused(List<String> settings, String why) {
        assertThatThrownBy(() -> train(settings, RunProgress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(why);
    }

    private Path runs() {
        return folder.resolve("runs");
    }

    private Path copy(String model) throws IOException {
        Path copy = Files.createDirectory(folder.resolve(model));
        for (String file : List.of("config.json", "model.safetensors", "tokenizer.json")) {
            Files.copy(FIXTURES.resolve(model).resolve(file), copy.resolve(file));
        }
        return copy;
    }

    private Path base() throws IOException {
        Path base = copy("gpt2");
        String corpus = Files.readString(Path.of("../data/src/test/resources/tokens/corpus.txt"));
        Files.writeString(folder.resolve("text.txt"), corpus.repeat(20));
        return base;
    }

    private RunResult train(List<String> settings, RunProgress progress) {
        String job =
                """
                name: tuned
                data: {train: text.txt, validation: text.txt, text: {context: 16}}
                model: {family: pretrained, from: gpt2}
                train: {steps: 60, batch: 16, evaluate_every: 60, optimizer: {learning_rate: 0.02}}
                cluster: {workers: 2, threads: 1}
                checkpoint: {every: 10}
                """;
        List<String> all = new ArrayList<>(settings);
        JobSpec spec = JobFile.parse("tuned.yaml", job, folder, all).spec();
        return JobRun.train(spec, Runs.in(runs()), progress);
    }
}
