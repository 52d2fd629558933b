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
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Draws one token after the other, each given those before it that fit the model's window. Pure but
 * for its generator: the same prompt and options give the same text.
 */
final class TextGenerator {
    private static final char REPLACEMENT = '\uFFFD';

    private final TextEncoding encoding;
    private final int context;
    private final Function<long[], float[]> scores;

    /** With a model that scores the token after a window of at most {@code context} tokens. */
    TextGenerator(TextEncoding encoding, int context, Function<long[], float[]> scores) {
        this.encoding = encoding;
        this.context = context;
        this.scores = scores;
    }

    /** Scores by a pass of whole windows, for models that remember nothing between two. */
    static Function<long[], float[]> byWindows(
            TextEncoding encoding, Function<Batch, HostArray> model) {
        int vocabulary = encoding.vocabularySize();
        return window -> {
            // It is filled up behind the text: a causal model does not look there.
            HostArray input = HostArray.allocate(ElementType.INT64, 1, encoding.context());
            input.data().buffer().asLongBuffer().put(window);
            HostArray outputs = model.apply(new Batch(List.of(input), input, 1));
            FloatBuffer logits = outputs.data().buffer().asFloatBuffer();
            logits.position((window.length - 1) * vocabulary);
            float[] last = new float[vocabulary];
            logits.get(last);
            return last;
        };
    }

    String generate(String prompt, GenerateOptions how) {
        return generate(prompt, how, piece -> true);
    }

    /**
     * The same, piece by piece.
     *
     * @param goesOn told after each token what text it added, which may be none as long as a
     *     character is not whole; whether another token is wanted
     * @return all pieces together
     */
    String generate(String prompt, GenerateOptions how, Predicate<String> goesOn) {
        long[] known = encoding.encode(prompt);
        ConfigException.check(
                known.length > 0, "the prompt is empty: give the model something to go on with");
        RandomGenerator random = Seeds.generator(how.seed());
        long[] tokens = Arrays.copyOf(known, known.length + how.tokens());
        String text = "";
        int told = 0;
        for (int at = known.length; at < tokens.length; at++) {
            int from = Math.max(0, at - context);
            float[] next = scores.apply(Arrays.copyOfRange(tokens, from, at));
            ConfigException.check(
                    SoundOutputs.areSound(TargetKind.TOKENS, next),
                    "the model's outputs for the next token are not numbers: its training"
                            + " diverged, train anew with a lower train.optimizer.learning_rate");
            tokens[at] = TokenDraw.draw(next, how, random);
            text = encoding.decode(Arrays.copyOfRange(tokens, known.length, at + 1));
            int settled = at + 1 == tokens.length ? text.length() : Math.max(told, whole(text));
            String piece = text.substring(told, settled);
            told = settled;
            if (!goesOn.test(piece)) {
                return text.substring(0, settled);
            }
        }
        return text;
    }

    /** Length without what may be a character's first bytes, of which there are at most three. */
    private static int whole(String text) {
        int end = text.length();
        while (end > 0 && text.length() - end < 3 && text.charAt(end - 1) == REPLACEMENT) {
            end--;
        }
        return end;
    }
}
