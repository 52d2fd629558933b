package dev.medley.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.ConfigException;
import dev.medley.data.shard.OriginGoneException;
import dev.medley.net.control.Message.FailureKind;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class TroubleTest {
    private static final ConfigException BAD_DISK =
            new ConfigException(
                    "data of step 7: the prepared data cannot be read",
                    new ConfigException(
                            "the prepared data cannot be read",
                            new IOException("Input/output error")));

    /** The others have disks of their own, and go on. */
    @Test
    void aDiskThatCannotBeReadShouldBeAMatterOfTheMachineThatHasIt() {
        assertThat(Trouble.kind(BAD_DISK, true)).isEqualTo(FailureKind.CUT_OFF);
        assertThat(Trouble.kind(BAD_DISK, false)).isEqualTo(FailureKind.INPUT);
    }

    @Test
    void whatIsWrongWithTheJobShouldBeAMatterOfAll() {
        ConfigException job = new ConfigException("no such column");
        assertThat(Trouble.kind(job, true)).isEqualTo(FailureKind.INPUT);
        assertThat(Trouble.kind(new Unsound(), true)).isEqualTo(FailureKind.UNSOUND);
        assertThat(Trouble.kind(new IllegalStateException("torn"), true))
                .isEqualTo(FailureKind.BUG);
    }

    @Test
    void whatIsOutOfReachShouldBeAMatterOfTheMachine() {
        Throwable gone = new OriginGoneException("gone", new IOException("reset"));
        assertThat(Trouble.kind(gone, false)).isEqualTo(FailureKind.CUT_OFF);
    }

    @Test
    void memoryShouldBeKnownByItsErrorAndByTheWordsOfLibTorch() {
        Throwable torch = new IllegalStateException("DefaultCPUAllocator: can't allocate memory");
        assertThat(Trouble.kind(torch, true)).isEqualTo(FailureKind.OUT_OF_MEMORY);
        assertThat(Trouble.kind(new OutOfMemoryError("heap"), true))
                .isEqualTo(FailureKind.OUT_OF_MEMORY);
    }

    /** A task says by itself what its trouble is. */
    private static final class Unsound extends TaskException {
        private static final long serialVersionUID = 1L;

        Unsound() {
            super(FailureKind.UNSOUND, "NaN");
        }
    }
}
