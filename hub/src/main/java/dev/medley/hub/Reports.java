package dev.medley.hub;

import dev.medley.base.ConfigException;
import dev.medley.fleet.hub.MachineReport;
import dev.medley.fleet.state.FleetMachine.Seen;
import dev.medley.hub.service.AgentReport;
import dev.medley.hub.service.OfferedMachine;

/** Checks what agents say of their machines before it is taken. */
final class Reports {
    private static final int LONGEST = 200;

    private Reports() {}

    /**
     * What the core takes.
     *
     * @throws ConfigException naming what cannot be
     */
    static MachineReport checked(AgentReport report) {
        OfferedMachine machine = report.machine();
        requireWord("name", report.name());
        requireWord("machine.type", machine.type());
        if (!report.site().isEmpty()) {
            requireWord("site", report.site());
        }
        requireNumber("machine.cores", machine.cores(), 0);
        requireNumber("machine.memoryBytes", machine.memoryBytes(), 0);
        requireNumber("machine.speed", machine.speed(), 0);
        requireNumber("machine.pricePerHour", machine.pricePerHour(), -Double.MAX_VALUE);
        requireNumber("leavingInS", report.leavingInS(), -Double.MAX_VALUE);
        return new MachineReport(
                report.name(),
                machine.type(),
                report.site(),
                new Seen(
                        machine.cores(),
                        machine.memoryBytes(),
                        machine.gpu(),
                        machine.speed() > 0 ? machine.speed() : Double.NaN,
                        machine.spot(),
                        machine.pricePerHour() < 0 ? Double.NaN : machine.pricePerHour()),
                report.leavingInS());
    }

    private static void requireWord(String field, String word) {
        ConfigException.check(
                !word.isBlank()
                        && word.length() <= LONGEST
                        && word.chars().noneMatch(Character::isISOControl),
                "%s: give a word of 1 to %d characters, none of them a control character",
                field,
                LONGEST);
    }

    private static void requireNumber(String field, double number, double least) {
        ConfigException.check(
                Double.isFinite(number) && number >= least,
                "%s is %s: give a number%s",
                field,
                number,
                least == 0 ? " of 0 or more" : "");
    }
}
