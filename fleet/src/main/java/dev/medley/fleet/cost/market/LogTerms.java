package dev.medley.fleet.cost.market;

import dev.medley.base.ConfigException;

/**
 * Says what logs do not.
 *
 * @param type of machine whose prices are meant, as in p3.2xlarge; empty where logs have one alone
 * @param gpus number and type of GPUs whose availability is meant, as in "1 v100"; empty likewise
 * @param machines that are needed at once
 * @param onDemandPerHour for zones whose log does not say it; NaN if nobody does
 * @param spotPerHour the same
 */
public record LogTerms(
        String type, String gpus, int machines, double onDemandPerHour, double spotPerHour) {
    public LogTerms {
        ConfigException.check(machines >= 1, "%d machines; give 1 or more", machines);
    }
}
