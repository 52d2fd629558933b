package dev.medley.net.link;

import java.nio.ByteBuffer;

/**
 * The answer to a {@link Hello}.
 *
 * @param verdict whether the link stands
 * @param livingEpoch the lowest epoch that the answering side still serves
 */
record Welcome(Verdict verdict, int livingEpoch) {
    static final int FRAME_BYTES = 16;

    private static final int MAGIC = 0x57454C44;

    /** The fate of the link. */
    enum Verdict {
        WELCOME,
        EPOCH_IS_OVER,
        NOT_OF_THIS_RUN,
        /** The caller came in plain text where TLS is wanted, or the other way round. */
        SECURED_OTHERWISE
    }

    @SuppressWarnings("EnumOrdinal") // The magic changes with the verdicts.
    ByteBuffer encode() {
        ByteBuffer frame = ByteBuffer.allocate(FRAME_BYTES);
        return frame.putInt(MAGIC).putInt(verdict.ordinal()).putInt(livingEpoch).putInt(0).flip();
    }

    /** The answer in a whole frame; something else than Medley answers as a stranger. */
    static Welcome decode(ByteBuffer frame) {
        int magic = frame.getInt();
        int verdict = frame.getInt();
        int livingEpoch = frame.getInt();
        if (magic != MAGIC || verdict < 0 || verdict >= Verdict.values().length) {
            return new Welcome(Verdict.NOT_OF_THIS_RUN, 0);
        }
        return new Welcome(Verdict.values()[verdict], livingEpoch);
    }
}
