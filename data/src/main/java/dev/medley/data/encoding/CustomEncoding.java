package dev.medley.data.encoding;

import dev.medley.base.custom.ClassSpec;
import dev.medley.base.job.Signature;

/**
 * The encoding of a user's own source, which encodes its samples by itself.
 *
 * @param source the user's class
 * @param signature as that class declared it
 */
public record CustomEncoding(ClassSpec source, Signature signature) implements Encoding {
    @Override
    public String reads() {
        return "samples of class " + source.className();
    }
}
