/**
 * Says how many workers a job is to have within what Kueue's quota leaves. Pure but for {@link
 * dev.medley.kubernetes.quota.KueueQuota}, which reads the cluster.
 *
 * <p>May use: the resource, the client. Never: the operator.
 *
 * <p>Thread: any.
 */
@NullMarked
package dev.medley.kubernetes.quota;

import org.jspecify.annotations.NullMarked;
