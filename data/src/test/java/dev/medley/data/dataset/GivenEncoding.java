package dev.medley.data.dataset;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.base.time.Clock;
import dev.medley.data.batch.TrainingData;
import dev.medley.data.encoding.Encoding;
import dev.medley.data.shard.PreparationProgress;
import java.nio.file.Path;

/** Data that is prepared with an encoding of its own, and with the given one of a trained model. */
public record GivenEncoding(Path cache) {
    public PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, cache, PreparationProgress.NONE);
    }

    public PreparedData prepareAs(Encoding model, Given given) {
        return Datasets.prepareAs(model, given.spec(), 1, cache, PreparationProgress.NONE);
    }

    public PreparedData encode(Encoding model, Given given) {
        return Datasets.encode(model, given.spec(), cache, PreparationProgress.NONE);
    }

    public PreparedData encodeInputs(Encoding model, Given given) {
        return Datasets.encodeInputs(model, given.spec(), cache, PreparationProgress.NONE);
    }

    /** The model cannot learn from that data, and the message holds these parts. */
    public void assertRefused(Encoding model, Given given, String... parts) {
        assertThatThrownBy(() -> prepareAs(model, given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(parts);
    }

    /** The encoding of a model that was trained on that data. */
    public Encoding trained(Given given) {
        return again(prepare(given));
    }

    /** The data's encoding as a saved model hands it back. */
    public static Encoding again(PreparedData data) {
        return Json.parse(Json.line(data.encoding()), Encoding.class);
    }

    /** The first features of all that is held out. */
    public static float[] held(PreparedData data) {
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            int samples = (int) data.validationSamples();
            return Given.floats(training.validation(0, samples).inputs().get(0));
        }
    }
}
