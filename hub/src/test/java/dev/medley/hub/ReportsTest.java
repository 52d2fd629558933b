package dev.medley.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.medley.base.ConfigException;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.OfferedMachine;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ReportsTest {
    private static AgentReport report(String name, OfferedMachine machine, double leavingInS) {
        return new AgentReport(name, "", "1", machine, List.of(), leavingInS);
    }

    private static OfferedMachine machine(String type, double cores, double speed, double price) {
        return new OfferedMachine(type, cores, speed, 1L << 30, "", false, price);
    }

    private static void assertRefused(AgentReport report, String field) {
        assertThatThrownBy(() -> Reports.checked(report))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(field)
                .hasMessageContaining("give a");
    }

    @Test
    void shouldRefuseWhatNoMachineIs() {
        OfferedMachine good = machine("big", 4, 10, 2);
        assertThat(Reports.checked(report("a", good, -1)).type()).isEqualTo("big");
        assertRefused(report(" ", good, -1), "name");
        assertRefused(report("a\u001b[2J", good, -1), "name");
        assertRefused(report("a".repeat(201), good, -1), "name");
        assertRefused(report("a", machine("", 4, 10, 2), -1), "machine.type");
        assertRefused(report("a", machine("t\n", 4, 10, 2), -1), "machine.type");
        assertRefused(report("a", machine("t", -1, 10, 2), -1), "machine.cores");
        assertRefused(report("a", machine("t", 4, Double.NaN, 2), -1), "machine.speed");
        double infinite = Double.POSITIVE_INFINITY;
        assertRefused(report("a", machine("t", 4, 10, infinite), -1), "machine.pricePerHour");
        assertRefused(report("a", good, Double.NaN), "leavingInS");
    }

    @Test
    void shouldTakeWhatNobodySaidAsNotKnown() {
        OfferedMachine unsaid = machine("big", 4, 0, -1);
        assertThat(Reports.checked(report("a", unsaid, -1)).seen().pricePerHour()).isNaN();
        assertThat(Reports.checked(report("a", unsaid, -1)).seen().speed()).isNaN();
    }
}
