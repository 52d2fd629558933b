package dev.medley.inference.model;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.Seeds;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.ModelSpec;
import dev.medley.base.job.TrainSpec.LossSpec;
import dev.medley.base.job.TrainSpec.Precision;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.tensor.Torch;
import dev.medley.tensor.model.Decoding;
import dev.medley.tensor.model.Replica;
import dev.medley.tensor.model.ReplicaOptions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TextGeneratorTest {
    private static final float[] SCORES = {1, 3, 2.9f, -1, 3};

    @Test
    void aCacheShouldChangeNoTextWithinTheContextAndBeyond() {
        Torch.start(1);
        TextEncoding bytes = new TextEncoding(TextUnit.BYTES, 24, List.of());
        GenerateOptions likeliest = new GenerateOptions(60, 0, 1);
        try (Replica replica =
                        Replica.build(
                                new ModelSpec.Transformer(2, 32, 4, 0.1),
                                LossSpec.auto(),
                                List.of(),
                                bytes.signature(),
                                ReplicaOptions.of(5, Precision.FP32));
                Decoding decoding = replica.decoding(24)) {
            String slow =
                    new TextGenerator(bytes, 24, TextGenerator.byWindows(bytes, replica::forward))
                            .generate("a prompt", likeliest);
            TextGenerator fast = new TextGenerator(bytes, 24, decoding::next);
            assertThat(fast.generate("a prompt", likeliest)).isEqualTo(slow);
            assertThat(fast.generate("another", likeliest)).isNotEqualTo(slow);
            assertThat(fast.generate("a prompt", new GenerateOptions(60, 1, 1, 1, 3)))
                    .isEqualTo(slow);
        }
    }

    @Test
    void drawsShouldBeOfTheLikeliestAlone() {
        assertThat(drawn(new GenerateOptions(1, 1, 1))).containsExactly(0, 1, 2, 3, 4);
        assertThat(drawn(new GenerateOptions(1, 0, 1))).containsExactly(1);
        assertThat(drawn(new GenerateOptions(1, 1, 2, 1, 1))).containsExactly(1, 4);
        assertThat(drawn(new GenerateOptions(1, 1, 3, 1, 1))).containsExactly(1, 2, 4);
        assertThat(drawn(new GenerateOptions(1, 1, 0, 0.3, 1))).containsExactly(1);
        assertThat(drawn(new GenerateOptions(1, 1, 0, 0.6, 1))).containsExactly(1, 4);
        assertThat(drawn(new GenerateOptions(1, 1, 1, 0.9, 1))).containsExactly(1);
    }

    private static Set<Integer> drawn(GenerateOptions how) {
        RandomGenerator random = Seeds.generator(how.seed());
        Set<Integer> drawn = new TreeSet<>();
        for (int i = 0; i < 2000; i++) {
            drawn.add(TokenDraw.draw(SCORES, how, random));
        }
        return drawn;
    }
}
