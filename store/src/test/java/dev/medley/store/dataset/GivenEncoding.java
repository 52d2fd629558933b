package dev.medley.store.dataset;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.Clock;
import dev.medley.base.ConfigException;
import dev.medley.base.Json;
import dev.medley.store.encoding.Encoding;
import dev.medley.store.shard.Progress;
import java.nio.file.Path;

/** Data that is prepared with an encoding of its own, and with the given one of a trained model. */
record GivenEncoding(Path cache) {
    PreparedData prepare(Given given) {
        return Datasets.prepare(given.spec(), 1, cache, Progress.NONE);
    }

    PreparedData prepareAs(Encoding model, Given given) {
        return Datasets.prepareAs(model, given.spec(), 1, cache, Progress.NONE);
    }

    PreparedData encode(Encoding model, Given given) {
        return Datasets.encode(model, given.spec(), cache, Progress.NONE);
    }

    PreparedData encodeInputs(Encoding model, Given given) {
        return Datasets.encodeInputs(model, given.spec(), cache, Progress.NONE);
    }

    /** The model cannot learn from that data, and the message holds these parts. */
    void assertRefused(Encoding model, Given given, String... parts) {
        assertThatThrownBy(() -> prepareAs(model, given))
                .isInstanceOf(ConfigException.class)
                .hasMessageContainingAll(parts);
    }

    /** The encoding of a model that was trained on that data. */
    Encoding trained(Given given) {
        return again(prepare(given));
    }

    /** The data's encoding as a saved model hands it back. */
    static Encoding again(PreparedData data) {
        return Json.parse(Json.line(data.encoding()), Encoding.class);
    }

    /** The first features of all that is held out. */
    static float[] held(PreparedData data) {
        try (TrainingData training = TrainingData.open(data, 1, Clock.system())) {
            int samples = (int) data.validationSamples();
            return Given.floats(training.validation(0, samples).inputs().get(0));
        }
    }
}
