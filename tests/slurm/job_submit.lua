-- Refuses jobs without a GPU in the partition of those with one, and the other way round, as filters of sites do.
-- cluster.py fills in the partition.
function slurm_job_submit(job, partitions, user)
  local asked = (job.tres_per_job or "") .. (job.tres_per_node or "") .. (job.tres_per_task or "")
  local gpu = string.find(asked, "gpu") ~= nil
  if gpu ~= (job.partition == "$gpu_partition") then
    slurm.log_user("only jobs with a GPU belong in the partition $gpu_partition")
    return slurm.ERROR
  end
  return slurm.SUCCESS
end

function slurm_job_modify(job, record, partitions, user)
  return slurm.SUCCESS
end

return slurm.SUCCESS
