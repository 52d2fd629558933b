package dev.medley.tenant.quota;

/**
 * Says which limit a request would pass.
 *
 * @param why for the caller: the limit, what is used of it, and when it frees
 * @param waitS seconds until it frees; 1 where that depends on other requests
 */
public record QuotaRefusal(String why, long waitS) {}
