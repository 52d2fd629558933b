package dev.medley.profile.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.medley.profile.ManualClock;
import dev.medley.profile.machine.MachineProfile.Disk;
import dev.medley.profile.machine.MachineProfile.Scope;
import dev.medley.profile.system.FakeSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("unit")
class MachineProfileCacheTest {
    private static final Figure FIGURE = Figure.measured(new double[] {1, 2, 3}, "in a test");
    private static final Figure NONE = Figure.unknown("in a test");

    @TempDir Path folder;
    @TempDir Path root;
    private final ManualClock clock = new ManualClock();
    private MachineIdentity identity;
    private MachineIdentity halved;

    @BeforeEach
    void start() {
        FakeSystem system = new FakeSystem(root);
        identity = identity(system);
        halved = identity(system.file("/cg/cpu.max", "100000 100000\n"));
    }

    @Test
    void shouldFindWhatWasMeasuredOfExactlyThatMachine() {
        cache().keep(identity, speeds(Scope.QUICK));
        assertThat(cache().find(identity)).isEqualTo(speeds(Scope.QUICK));
        assertThat(cache().find(halved)).isNull();
        assertThat(cache().latest("here").identity()).isEqualTo(identity);
        assertThat(cache().latest("there")).isNull();
    }

    @Test
    void shouldKnowTheLastOfAHost() {
        cache().keep(identity, speeds(Scope.QUICK));
        clock.passMillis(TimeUnit.DAYS.toMillis(20));
        cache().keep(halved, speeds(Scope.QUICK));
        clock.passMillis(TimeUnit.DAYS.toMillis(20));
        assertThat(cache().find(identity)).as("40 days old").isNull();
        assertThat(cache().find(halved)).as("20 days old").isNotNull();
        assertThat(cache().latest("here").identity()).isEqualTo(halved);
    }

    @Test
    void aQuickLookShouldNotReplaceAThoroughMeasurementUntilThatIsOld() {
        cache().keep(identity, speeds(Scope.FULL));
        cache().keep(identity, speeds(Scope.QUICK));
        assertThat(cache().find(identity).scope()).isEqualTo(Scope.FULL);
        clock.passMillis(TimeUnit.DAYS.toMillis(30) + 1);
        cache().keep(identity, speeds(Scope.QUICK));
        assertThat(cache().find(identity).scope()).isEqualTo(Scope.QUICK);
        cache().keep(identity, speeds(Scope.FULL));
        assertThat(cache().find(identity).scope()).isEqualTo(Scope.FULL);
    }

    @Test
    void whatWasMeasuredByAWrongClockShouldNotBeBelievedForAYear() {
        clock.passMillis(TimeUnit.DAYS.toMillis(365));
        cache().keep(identity, speeds(Scope.FULL));
        clock.passMillis(-TimeUnit.DAYS.toMillis(365));
        assertThat(cache().find(identity)).isNull();
        cache().keep(identity, speeds(Scope.QUICK));
        assertThat(cache().find(identity).scope()).isEqualTo(Scope.QUICK);
    }

    @Test
    void shouldTakeABrokenFileForNone() throws IOException {
        cache().keep(identity, speeds(Scope.QUICK));
        Path file;
        try (Stream<Path> all = Files.list(folder)) {
            file = all.findFirst().orElseThrow();
        }
        String whole = Files.readString(file);
        for (String content :
                List.of(
                        "",
                        "{}",
                        whole.substring(0, whole.length() / 2),
                        whole.replace("\"format\" : 1", "\"format\" : 2"),
                        whole.replace("\"quotaCores\" : 2.0", "\"quotaCores\" : 3.0"),
                        whole.replace("\"stolen\"", "\"borrowed\""))) {
            assertThat(content).isNotEqualTo(whole);
            Files.writeString(file, content);
            assertThat(cache().find(identity)).as(content).isNull();
        }
        cache().keep(identity, speeds(Scope.QUICK));
        assertThat(cache().find(identity)).as("mended by the next look").isNotNull();
    }

    @Test
    void onlyWholeMeasurementsShouldBeKept() {
        MachineSpeeds whole = speeds(Scope.QUICK);
        assertThat(whole.areWhole(identity)).isTrue();
        MachineSpeeds cut =
                new MachineSpeeds(0, 1, Scope.QUICK, NONE, List.of(), whole.disk(), List.of(), 0);
        assertThat(cut.areWhole(identity)).isFalse();
        FakeSystem withGpu = new FakeSystem(root).file("/dev/nvidia0", "");
        assertThat(whole.areWhole(identity(withGpu))).as("its driver did not answer").isFalse();
    }

    /** The folder has the name that it had, on a disk that is mounted there since. */
    @Test
    void aFolderOnAnotherDiskThanThenShouldNotHaveItsSpeeds() {
        Disk then = new Disk("/", "/dev/sda", "ext4", 1, FIGURE, FIGURE);
        MachineSpeeds speeds =
                new MachineSpeeds(0, 1, Scope.FULL, FIGURE, List.of(), then, List.of(), 0);
        Disk now = new Disk("/", "/dev/sdb", "ext4", 1, NONE, NONE);
        assertThat(speeds.of(now)).isEqualTo(now);
        assertThat(speeds.of(new Disk("/x", "/dev/sda", "ext4", 1, NONE, NONE)))
                .isEqualTo(new Disk("/x", "/dev/sda", "ext4", 1, FIGURE, FIGURE));
    }

    private MachineSpeeds speeds(Scope scope) {
        Disk disk = new Disk("/", "/dev/sda", "ext4", 1, NONE, NONE);
        return new MachineSpeeds(
                clock.wallMillis(), 1, scope, FIGURE, List.of(), disk, List.of(), 0.5);
    }

    private MachineIdentity identity(FakeSystem system) {
        MachineProbe probe = new MachineProbe(clock, root, List.of(), system.files());
        return probe.identity(probe.look());
    }

    private MachineProfileCache cache() {
        return new MachineProfileCache(folder, clock);
    }
}
