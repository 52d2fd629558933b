package dev.medley.data.encoding;

import dev.medley.base.ConfigException;
import dev.medley.base.job.DataSpec.TextUnit;
import dev.medley.base.job.Signature;
import dev.medley.base.memory.ElementType;
import dev.medley.data.token.Tokens;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of text as tokens: bytes, the characters of the training text in code point order,
 * or byte pairs. The model reads {@code context} tokens and is asked for the next one at every
 * position.
 *
 * @param unit of a token
 * @param context tokens of one window
 * @param vocabulary the characters, each a string of one code point; empty for bytes. Its last
 *     entry may be {@link #UNKNOWN}, when the validation text has characters that training has not
 * @param tokens of byte pairs, or of a pretrained model; else null
 */
public record TextEncoding(
        TextUnit unit, int context, List<String> vocabulary, @Nullable Tokens tokens)
        implements Encoding {
    /** Stands for every character that training has not seen. */
    public static final String UNKNOWN = "\uFFFD";

    private static final int BYTE_VALUES = 256;

    public TextEncoding {
        vocabulary = List.copyOf(vocabulary);
    }

    /** Bytes or characters. */
    public TextEncoding(TextUnit unit, int context, List<String> vocabulary) {
        this(unit, context, vocabulary, null);
    }

    /** Tokens of a vocabulary. */
    public static TextEncoding of(Tokens tokens, int context) {
        return new TextEncoding(TextUnit.BPE, context, List.of(), tokens);
    }

    @Override
    public Signature signature() {
        Signature.Input tokens =
                new Signature.Input(
                        "tokens", ElementType.INT64, List.of(context), List.of(vocabularySize()));
        return new Signature(
                List.of(tokens),
                new Signature.Target(Signature.TargetKind.TOKENS, vocabularySize(), vocabulary));
    }

    @Override
    public String reads() {
        return "text";
    }

    /** How many tokens there are. */
    public int vocabularySize() {
        if (tokens != null) {
            return tokens.vocabulary().size();
        }
        return unit == TextUnit.BYTES ? BYTE_VALUES : vocabulary.size();
    }

    /**
     * The tokens of a text, for a prompt. A character that the model does not know is the user's
     * error, unless the vocabulary has {@link #UNKNOWN}.
     */
    public long[] encode(String text) {
        if (tokens != null) {
            LongStream.Builder found = LongStream.builder();
            tokens.tokenizer().encode(text, found::add);
            return found.build().toArray();
        }
        if (unit == TextUnit.BYTES) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            long[] tokens = new long[bytes.length];
            for (int i = 0; i < bytes.length; i++) {
                tokens[i] = Byte.toUnsignedLong(bytes[i]);
            }
            return tokens;
        }
        return text.codePoints().mapToLong(c -> token(c)).toArray();
    }

    /** The text of tokens; bytes that are not UTF-8 become U+FFFD. */
    public String decode(long[] sequence) {
        if (tokens != null) {
            return tokens.tokenizer().decode(sequence);
        }
        if (unit == TextUnit.BYTES) {
            byte[] bytes = new byte[sequence.length];
            for (int i = 0; i < sequence.length; i++) {
                bytes[i] = (byte) sequence[i];
            }
            return new String(bytes, StandardCharsets.UTF_8);
        }
        StringBuilder text = new StringBuilder();
        for (long token : sequence) {
            text.append(vocabulary.get((int) token));
        }
        return text.toString();
    }

    private int token(int codePoint) {
        int known = hasUnknown() ? vocabulary.size() - 1 : vocabulary.size();
        int found =
                Collections.binarySearch(
                        vocabulary.subList(0, known),
                        Character.toString(codePoint),
                        (a, b) -> Integer.compare(a.codePointAt(0), b.codePointAt(0)));
        if (found >= 0) {
            return found;
        }
        ConfigException.check(
                hasUnknown(),
                "the character '%s' (U+%04X) does not occur in the text that the model was trained"
                        + " on: leave it out",
                Character.toString(codePoint),
                codePoint);
        return vocabulary.size() - 1;
    }

    private boolean hasUnknown() {
        return !vocabulary.isEmpty() && vocabulary.get(vocabulary.size() - 1).equals(UNKNOWN);
    }
}
