package dev.medley.cli.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.base.job.StrategySpec.Compress;
import dev.medley.profile.record.PlanRecord;
import dev.medley.profile.record.RunEvent;
import dev.medley.profile.record.RunRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A codec that changes in mid-run, on machines of two sites. */
@Tag("real")
@Timeout(240)
class CodecAgentsTest {
    private static final int STEPS = 200;
    private static final Pattern JOIN = Pattern.compile("--join (127\\.0\\.0\\.1:\\d+)");

    @TempDir Path folder;

    /** The model is so small that codecs spare nothing: what begins as int8 goes on as it is. */
    @Test
    void membersShouldStayEqualWhereTheCodecChangesAndRepeatIt() throws Exception {
        FaultJob.write(folder, STEPS, "listen: '127.0.0.1:0', expect: 2, begin: all");
        RunRecord record = train("one");
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
        RunRecord again = train("two", "--replay", record.folder().path().toString());
        assertThat(FaultJob.hashes(again)).isEqualTo(hashes);
    }

    private RunRecord train(String place, String... more) throws Exception {
        String[] command = {
            "train",
            "job.yaml",
            "-s",
            "strategy={compress: auto, codecs: [none, int8], transport: tcp, balance: none}",
            "-s",
            "model.hidden=[8]"
        };
        List<String> all = new java.util.ArrayList<>(List.of(command));
        all.addAll(List.of(more));
        try (MedleyProcess medley = MedleyProcess.start(folder, all.toArray(String[]::new));
                MedleyProcess one = agent(medley, place, "east");
                MedleyProcess two = agent(medley, place, "west")) {
            assertThat(medley.exitCode()).as(medley.said() + one.said() + two.said()).isZero();
            return RunRecord.read(medley.run());
        }
    }

    private MedleyProcess agent(MedleyProcess medley, String place, String site) throws Exception {
        medley.await("listening", () -> JOIN.matcher(medley.said()).find());
        Matcher join = JOIN.matcher(medley.said());
        assertThat(join.find()).isTrue();
        Path own = Files.createDirectories(folder.resolve(place + "-" + site));
        String[] command = {"agent", "--once", "--join", join.group(1), "--name", site};
        List<String> all = new java.util.ArrayList<>(List.of(command));
        all.addAll(List.of("--site", site, "--folder", own.toString()));
        return MedleyProcess.start(own, all.toArray(String[]::new));
    }
}
