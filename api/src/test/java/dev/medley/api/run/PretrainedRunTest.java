package dev.medley.api.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.medley.api.Dataset;
import dev.medley.api.TrainedModel;
import dev.medley.api.job.JobFile;
import dev.medley.base.ConfigException;
import dev.medley.base.job.JobSpec;
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

    @Test
    void whatDoesNotFitShouldBeRefusedBeforeThereIsARun() throws IOException {
        Path base = base();
        assertRefused(List.of("data.text.context=25"), "longer than the 24 positions");
        assertRefused(List.of("model.from=" + folder.resolve("none")), "no model that");
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

    private Path base() throws IOException {
        Path base = Files.createDirectory(folder.resolve("gpt2"));
        for (String file : List.of("config.json", "model.safetensors", "tokenizer.json")) {
            Files.copy(FIXTURES.resolve("gpt2").resolve(file), base.resolve(file));
        }
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
