package dev.medley.api.world;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.api.world.AgentThread.Join;
import dev.medley.base.strategy.StrategySpec.Compress;
import dev.medley.record.entry.PlanRecord;
import dev.medley.record.entry.RunEvent;
import dev.medley.record.folder.RunRecord;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A codec that changes in mid-run, on machines of two sites. */
@Tag("real")
@Timeout(240)
class ChangedCodecTest {
    private static final int STEPS = 200;
    private static final String[] CODECS = {
        "strategy={compress: auto, codecs: [none, int8], transport: tcp, balance: none}",
        "model.hidden=[8]"
    };

    @TempDir Path folder;

    /** The model is so small that codecs spare nothing: what begins as int8 goes on as it is. */
    @Test
    void membersShouldStayEqualWhereTheCodecChangesAndRepeatIt() throws Exception {
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 2, begin: all");
        RunRecord record = train(null);
        List<Compress> codecs =
                PlanRecord.inForce(record.plans()).stream()
                        .map(plan -> Objects.requireNonNull(plan.strategy()).compress())
                        .distinct()
                        .toList();
        assertThat(codecs).containsExactly(Compress.INT8, Compress.NONE);
        assertThat(record.events())
                .filteredOn(event -> event.kind() == RunEvent.Kind.PLAN)
                .anyMatch(
                        event -> event.message().contains("gradients cross sites as they are in"));
        assertThat(record.plans())
                .anyMatch(plan -> plan.fromStep() > 1 && plan.plan().isContinued());
        FaultJob.assertNothingLostOrRepeated(record, STEPS);
        Map<Long, String> hashes = FaultJob.hashes(record);
        assertThat(hashes).as("after each epoch, of both members").hasSizeGreaterThan(4);
        RunRecord again = train(record.folder().path());
        assertThat(FaultJob.hashes(again)).isEqualTo(hashes);
    }

    private RunRecord train(@Nullable Path replayed) throws Exception {
        try (World world = new World(folder)) {
            RunThread run = replayed == null ? world.train(CODECS) : world.replay(replayed, CODECS);
            world.agent(run, Join.as("one").at("east"));
            world.agent(run, Join.as("two").at("west"));
            return run.completed();
        }
    }
}
