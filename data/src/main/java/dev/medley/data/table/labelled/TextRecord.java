package dev.medley.data.table.labelled;

import dev.medley.data.encoding.LabelledTextEncoding;
import dev.medley.data.token.Tokenizer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;

/** Makes records, which {@link LabelledTextDecoder} describes. One owner. */
public final class TextRecord {
    private static final int NONE = -1;

    /** Attention needs something to see. */
    private static final String OF_EMPTY = "\n";

    private final LabelledTextEncoding encoding;
    private final Tokenizer tokenizer;
    private boolean isCut;

    /** For texts of {@code encoding}. */
    public TextRecord(LabelledTextEncoding encoding) {
        this.encoding = encoding;
        tokenizer = encoding.tokens().tokenizer();
    }

    /** Bytes of one record. */
    public int bytes() {
        return (encoding.context() + 1) * Integer.BYTES;
    }

    /** The record of a text and the number of its class. */
    public byte[] of(String text, int code) {
        int[] own = tokens(text);
        isCut = own.length > encoding.room();
        int[] sequence = encoding.sequence(own);
        ByteBuffer record = ByteBuffer.allocate(bytes()).order(ByteOrder.nativeOrder());
        for (int i = 0; i < encoding.context(); i++) {
            record.putInt(i < sequence.length ? sequence[i] : NONE);
        }
        return record.putInt(code).array();
    }

    private int[] tokens(String text) {
        boolean isBare = encoding.tokens().before().isEmpty();
        IntStream.Builder found = IntStream.builder();
        tokenizer.encode(text.isEmpty() && isBare ? OF_EMPTY : text, found::add);
        return found.build().toArray();
    }

    /** Whether the last text had more tokens than there is room for. */
    boolean isCut() {
        return isCut;
    }
}
