package dev.medley.inference.model;

import dev.medley.base.ConfigException;
import dev.medley.base.Seeds;
import dev.medley.base.job.Signature.TargetKind;
import dev.medley.base.memory.Batch;
import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.HostArray;
import dev.medley.data.encoding.TextEncoding;
import dev.medley.inference.metric.SoundOutputs;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * Draws one token after the other, each given those before it that fit the model's window. Pure but
 * for its generator: the same prompt and options give the same text.
 */
public final class TextGenerator {
    private final TextEncoding encoding;
    private final Function<Batch, HostArray> model;

    TextGenerator(TextEncoding encoding, Function<Batch, HostArray> model) {
        this.encoding = encoding;
        this.model = model;
    }

    String generate(String prompt, int count, double temperature, long seed) {
        long[] known = encoding.encode(prompt);
        ConfigException.check(
                known.length > 0, "the prompt is empty: give the model something to go on with");
        RandomGenerator random = Seeds.generator(seed);
        long[] tokens = Arrays.copyOf(known, known.length + count);
        for (int at = known.length; at < tokens.length; at++) {
            int from = Math.max(0, at - encoding.context());
            tokens[at] = next(Arrays.copyOfRange(tokens, from, at), temperature, random);
        }
        return encoding.decode(Arrays.copyOfRange(tokens, known.length, tokens.length));
    }

    /** The window is filled up behind the text: a causal model does not look there. */
    private long next(long[] window, double temperature, RandomGenerator random) {
        int context = encoding.context();
        HostArray input = HostArray.allocate(ElementType.INT64, 1, context);
        LongBuffer values = input.data().buffer().asLongBuffer();
        values.put(window);
        HostArray outputs = model.apply(new Batch(List.of(input), input, 1));
        FloatBuffer logits = outputs.data().buffer().asFloatBuffer();
        int vocabulary = encoding.vocabularySize();
        logits.position((window.length - 1) * vocabulary);
        float[] scores = new float[vocabulary];
        logits.get(scores);
        ConfigException.check(
                SoundOutputs.areSound(TargetKind.TOKENS, scores),
                "the model's outputs for the next token are not numbers: its training diverged,"
                        + " train anew with a lower train.optimizer.learning_rate");
        return temperature == 0 ? likeliest(scores) : draw(scores, temperature, random);
    }

    private static int likeliest(float[] scores) {
        int best = 0;
        for (int i = 1; i < scores.length; i++) {
            if (scores[i] > scores[best]) {
                best = i;
            }
        }
        return best;
    }

    private static int draw(float[] scores, double temperature, RandomGenerator random) {
        double highest = scores[likeliest(scores)];
        double[] weights = new double[scores.length];
        double sum = 0;
        for (int i = 0; i < scores.length; i++) {
            weights[i] = Math.exp((scores[i] - highest) / temperature);
            sum += weights[i];
        }
        double left = random.nextDouble() * sum;
        for (int i = 0; i < weights.length; i++) {
            left -= weights[i];
            if (left < 0) {
                return i;
            }
        }
        return weights.length - 1;
    }
}
