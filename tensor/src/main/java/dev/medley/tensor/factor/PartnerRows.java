package dev.medley.tensor.factor;

/** Reads rows of the side that stays while those of the other side are solved. */
@FunctionalInterface
public interface PartnerRows {
    /** Copies a code's weight and factors to {@code into}. */
    void read(int code, float[] into);
}
