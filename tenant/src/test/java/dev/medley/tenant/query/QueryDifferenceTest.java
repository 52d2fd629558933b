package dev.medley.tenant.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.medley.base.Seeds;
import dev.medley.tenant.TenantCaller;
import dev.medley.tenant.read.ExtractFormat;
import dev.medley.tenant.read.SharedTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Asks a shared table under a policy, and a copy that holds only what the caller may see under no
 * policy at all: answers, counts, errors and extracts have to be equal byte for byte. {@code
 * -Dmedley.seeds=N} for N worlds of 12 questions each.
 */
@Tag("property")
class QueryDifferenceTest {
    private static final int QUESTIONS = 12;

    /** Of so many questions one has an extract of its own; the others share one by caller. */
    private static final int ANEW = 10;

    @TempDir Path folder;

    static LongStream seeds() {
        return LongStream.range(0, Long.getLong("medley.seeds", 15));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldAnswerAsACopyOfTheCallersOwnRowsWould(long seed) throws Exception {
        SharedWorld world = new SharedWorld(folder, seed);
        RandomGenerator random = Seeds.generator(seed, 1);
        DrawnQuery drawn = new DrawnQuery(random);
        List<String> errors = new ArrayList<>();
        try (KeptExtracts shared = new KeptExtracts(folder);
                KeptExtracts copies = new KeptExtracts(folder)) {
            for (int i = 0; i < QUESTIONS; i++) {
                TenantCaller caller = SharedWorld.callers().get(random.nextInt(3));
                JsonNode query = drawn.draw();
                String own = shared.answer(world.shared(), caller, query, i % ANEW == 0);
                String copy = copies.answer(world.copyFor(caller), caller, query, i % ANEW == 0);
                assertEquals(
                        copy, own, () -> "seed %d, %s: %s".formatted(seed, caller.name(), query));
                if (!own.startsWith("{")) {
                    errors.add(own);
                    assertFalse(own.contains(SharedTables.CANARY), own);
                }
            }
        }
        TenantCaller caller = SharedWorld.callers().get(random.nextInt(3));
        ExtractFormat format = List.of(ExtractFormat.values()).get(random.nextInt(2));
        Path own = folder.resolve("own/t");
        Path copy = folder.resolve("copy/t");
        world.shared().extract(caller, "t", format, own);
        world.copyFor(caller).extract(caller, "t", format, copy);
        assertEquals(-1, Files.mismatch(own, copy), () -> "seed %d: %s".formatted(seed, format));
        assertTrue(errors.size() < QUESTIONS, () -> "no question was sound: " + errors);
    }
}
