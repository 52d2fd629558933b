package dev.medley.training.server;

import dev.medley.base.memory.ElementType;
import dev.medley.base.memory.Span;
import dev.medley.exchange.codec.Codec;
import dev.medley.exchange.codec.CodecResidual;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Codes what a site's server forwards of one cell, or decodes what comes. The values that a coarse
 * codec leaves out are sent with the next forward, also of the next round; a round that is
 * discarded brings them back. One owner.
 */
final class CellCoding {
    /** A longer cell is coded piece by piece: a buffer ends at 2 GiB. */
    static final int PIECE_ELEMENTS = 1 << 22;

    private final Codec codec;
    private final ElementType type;
    private final long elements;
    private final @Nullable CodecResidual[] residuals;
    private final ByteBuffer scratch;
    private final Span coded;

    /**
     * The coding of a cell.
     *
     * @param codec that nobody else calls at the same time
     * @param elements above 0
     */
    CellCoding(Codec codec, ElementType type, long elements) {
        this.codec = codec;
        this.type = type;
        this.elements = elements;
        int pieces = Math.toIntExact((elements + PIECE_ELEMENTS - 1) / PIECE_ELEMENTS);
        residuals = new CodecResidual[pieces];
        scratch = ByteBuffer.allocateDirect(codec.encodedBytes(count(0)));
        long whole = (pieces - 1L) * codec.encodedBytes(PIECE_ELEMENTS);
        coded = Span.allocate(whole + codec.encodedBytes(count(pieces - 1)));
    }

    /**
     * The values and what was left out of those before, coded; valid until the next call.
     *
     * @param unit what the values are divided by, as far as it differs from call to call; not 0
     */
    Span encode(Span values, double unit) {
        long done = 0;
        for (int i = 0; i < residuals.length; i++) {
            int bytes = codec.encodedBytes(count(i));
            codec.encode(buffer(piece(values, i)), type, scratch, residual(i, unit));
            coded.slice(done, bytes).copyFrom(Span.of(scratch.slice(0, bytes)));
            done += bytes;
        }
        return coded;
    }

    /** Sets all of {@code into}, memory of its own, to what was coded. */
    Span decode(Span from, Span into) {
        long done = 0;
        for (int i = 0; i < residuals.length; i++) {
            int bytes = codec.encodedBytes(count(i));
            Span.of(scratch.slice(0, bytes)).copyFrom(from.slice(done, bytes));
            codec.decode(scratch, type, piece(into, i).buffer());
            done += bytes;
        }
        return into;
    }

    /** The round was applied. */
    void applied() {
        for (CodecResidual residual : residuals) {
            if (residual != null) {
                residual.commit();
            }
        }
    }

    /** A round begins; if the one before was not applied, what it left out is void. */
    void begin() {
        for (CodecResidual residual : residuals) {
            if (residual != null) {
                residual.rollBack();
            }
        }
    }

    private int count(int piece) {
        return (int) Math.min(PIECE_ELEMENTS, elements - (long) piece * PIECE_ELEMENTS);
    }

    private Span piece(Span values, int i) {
        long at = (long) i * PIECE_ELEMENTS;
        return values.slice(at * type.bytes(), (long) count(i) * type.bytes());
    }

    /** Memory of others may cross a chunk where a piece does not end. */
    private static ByteBuffer buffer(Span values) {
        if (values.isOneBuffer()) {
            return values.buffer();
        }
        Span copy = Span.allocate(values.bytes());
        copy.copyFrom(values);
        return copy.buffer();
    }

    private @Nullable CodecResidual residual(int piece, double unit) {
        CodecResidual residual = residuals[piece];
        if (codec.isCoarse() && residual == null) {
            residual = new CodecResidual(count(piece));
            residuals[piece] = residual;
        }
        return residual == null ? null : residual.in(unit);
    }
}
