"""The measures of Zhong et al. that tell a pizza from a clock."""
